#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels::lanes_key_each {

const ByRounds<LaneArguments> ecb_encrypt = message_lanes_kernels<CipherMode::ecb_encrypt, LaneKeys::each>();
const ByRounds<LaneArguments> cbc_encrypt = message_lanes_kernels<CipherMode::cbc_encrypt, LaneKeys::each>();
const ByRounds<LaneArguments> cfb_encrypt = message_lanes_kernels<CipherMode::cfb_encrypt, LaneKeys::each>();
const ByRounds<LaneArguments> cfb_decrypt = message_lanes_kernels<CipherMode::cfb_decrypt, LaneKeys::each>();
const ByRounds<LaneArguments> ofb = message_lanes_kernels<CipherMode::ofb, LaneKeys::each>();
const ByRounds<LaneArguments> ctr = message_lanes_kernels<CipherMode::ctr, LaneKeys::each>();
const ByRounds<LaneArguments> cmac = message_lanes_kernels<CipherMode::cmac, LaneKeys::each>();

}  // namespace warpaes::kernels::lanes_key_each
