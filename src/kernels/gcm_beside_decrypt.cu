#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedGcmArguments> gcm_beside_decrypt =
    counter_beside_kernels<Hashed::input, SlicedGcmArguments>();

}  // namespace warpaes::kernels
