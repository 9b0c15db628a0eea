#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels::lanes {

const ByRounds<LaneArguments> ecb_encrypt = message_lanes_kernels<CipherMode::ecb_encrypt, LaneKeys::one>();
const ByRounds<LaneArguments> ecb_decrypt = message_lanes_kernels<CipherMode::ecb_decrypt, LaneKeys::one>();
const ByRounds<LaneArguments> cbc_decrypt = message_lanes_kernels<CipherMode::cbc_decrypt, LaneKeys::one>();
const ByRounds<LaneArguments> cfb_decrypt = message_lanes_kernels<CipherMode::cfb_decrypt, LaneKeys::one>();
const ByRounds<LaneArguments> ctr = message_lanes_kernels<CipherMode::ctr, LaneKeys::one>();

}  // namespace warpaes::kernels::lanes
