#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<GcmArguments> gcm_decrypt = counter_kernels<Hashed::input, GcmArguments>();

}  // namespace warpaes::kernels
