#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels::chained_key_each {

const ByRounds<ChainedAeadArguments> eax_encrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::output, LaneKeys::each>();
const ByRounds<ChainedAeadArguments> eax_decrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::input, LaneKeys::each>();

}  // namespace warpaes::kernels::chained_key_each
