#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<CounterArguments> counter = counter_kernels<Hashed::nothing, CounterArguments>();

}  // namespace warpaes::kernels
