#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedGcmArguments> bitsliced_gcm_decrypt =
    bitsliced_counter_kernels<Hashed::input, SlicedGcmArguments>();

}  // namespace warpaes::kernels
