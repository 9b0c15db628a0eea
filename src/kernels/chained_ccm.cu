#include "kernels/chained_aead_kernel.cuh"

namespace warpaes::kernels::chained_one_key {

const ByRounds<ChainedAeadArguments> ccm_encrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::output, LaneKeys::one>();
const ByRounds<ChainedAeadArguments> ccm_decrypt =
    chained_aead_kernels<ChainedAead::ccm, Ciphertext::input, LaneKeys::one>();

}  // namespace warpaes::kernels::chained_one_key
