#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedCounterArguments> bitsliced_counter =
    bitsliced_counter_kernels<Hashed::nothing, SlicedCounterArguments>();

}  // namespace warpaes::kernels
