#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedGcmArguments> bitsliced_gcm_encrypt =
    bitsliced_counter_kernels<Hashed::output, SlicedGcmArguments>();

}  // namespace warpaes::kernels
