#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels::chained_one_key {

const ByRounds<ChainedAeadArguments> eax_encrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::output, LaneKeys::one>();
const ByRounds<ChainedAeadArguments> eax_decrypt =
    chained_aead_kernels<ChainedAead::eax, Ciphertext::input, LaneKeys::one>();

}  // namespace warpaes::kernels::chained_one_key
