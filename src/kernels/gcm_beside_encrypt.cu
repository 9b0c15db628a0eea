#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SlicedGcmArguments> gcm_beside_encrypt =
    counter_beside_kernels<Hashed::output, SlicedGcmArguments>();

}  // namespace warpaes::kernels
