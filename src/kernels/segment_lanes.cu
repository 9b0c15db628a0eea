#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels {

namespace lanes {
const ByRounds<LaneArguments> segments = message_lanes_kernels<CipherMode::cfb8_encrypt, LaneKeys::one>();
}

namespace lanes_key_each {
const ByRounds<LaneArguments> segments = message_lanes_kernels<CipherMode::cfb8_encrypt, LaneKeys::each>();
}

}  // namespace warpaes::kernels
