#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedCounterArguments> counter_beside =
    counter_beside_kernels<Hashed::nothing, SlicedCounterArguments>();

}  // namespace warpaes::kernels
