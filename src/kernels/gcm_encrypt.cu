#include "kernels/counter_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<GcmArguments> gcm_encrypt = counter_kernels<Hashed::output, GcmArguments>();

}  // namespace warpaes::kernels
