#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels {

namespace lanes {
const ByRounds<LaneArguments> wrap = message_lanes_kernels<CipherMode::kw_wrap, LaneKeys::one>();
const ByRounds<LaneArguments> unwrap = message_lanes_kernels<CipherMode::kw_unwrap, LaneKeys::one>();
}  // namespace lanes

namespace lanes_key_each {
const ByRounds<LaneArguments> wrap = message_lanes_kernels<CipherMode::kw_wrap, LaneKeys::each>();
const ByRounds<LaneArguments> unwrap = message_lanes_kernels<CipherMode::kw_unwrap, LaneKeys::each>();
}  // namespace lanes_key_each

}  // namespace warpaes::kernels
