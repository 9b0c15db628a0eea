#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<ChainedAeadArguments> ccm_encrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::output>();
const ByRounds<ChainedAeadArguments> ccm_decrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::input>();

}  // namespace warpaes::kernels
