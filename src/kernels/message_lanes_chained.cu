#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels::lanes {

const ByRounds<LaneArguments> cbc_encrypt = message_lanes_kernels<CipherMode::cbc_encrypt, LaneKeys::one>();
const ByRounds<LaneArguments> cfb_encrypt = message_lanes_kernels<CipherMode::cfb_encrypt, LaneKeys::one>();
const ByRounds<LaneArguments> ofb = message_lanes_kernels<CipherMode::ofb, LaneKeys::one>();
const ByRounds<LaneArguments> cmac = message_lanes_kernels<CipherMode::cmac, LaneKeys::one>();

}  // namespace warpaes::kernels::lanes
