#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels {

namespace lanes {
const ByRounds<LaneArguments> xts_encrypt = message_lanes_kernels<CipherMode::xts_encrypt, LaneKeys::one>();
const ByRounds<LaneArguments> xts_decrypt = message_lanes_kernels<CipherMode::xts_decrypt, LaneKeys::one>();
}  // namespace lanes

namespace lanes_key_each {
const ByRounds<LaneArguments> xts_encrypt = message_lanes_kernels<CipherMode::xts_encrypt, LaneKeys::each>();
const ByRounds<LaneArguments> xts_decrypt = message_lanes_kernels<CipherMode::xts_decrypt, LaneKeys::each>();
}  // namespace lanes_key_each

}  // namespace warpaes::kernels
