#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<ChainedAeadArguments> eax_encrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::output>();
const ByRounds<ChainedAeadArguments> eax_decrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::input>();

}  // namespace warpaes::kernels
