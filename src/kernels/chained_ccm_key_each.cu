#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels::chained_key_each {

const ByRounds<ChainedAeadArguments> ccm_encrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::output, LaneKeys::each>();
const ByRounds<ChainedAeadArguments> ccm_decrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::input, LaneKeys::each>();

}  // namespace warpaes::kernels::chained_key_each
