#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels::lanes_key_each {

const ByRounds<LaneArguments> ecb_decrypt = message_lanes_kernels<CipherMode::ecb_decrypt, LaneKeys::each>();
const ByRounds<LaneArguments> cbc_decrypt = message_lanes_kernels<CipherMode::cbc_decrypt, LaneKeys::each>();

}  // namespace warpaes::kernels::lanes_key_each
