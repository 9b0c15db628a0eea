#include "kernels/message_lanes_kernel.cuh"

namespace warpaes::kernels {

namespace lanes {
const ByRounds<LaneArguments> ending_encrypt =
    message_lanes_kernels<CipherMode::cbc_pkcs7_encrypt, LaneKeys::one>();
const ByRounds<LaneArguments> ending_decrypt =
    message_lanes_kernels<CipherMode::cbc_pkcs7_decrypt, LaneKeys::one>();
}  // namespace lanes

namespace lanes_key_each {
const ByRounds<LaneArguments> ending_encrypt =
    message_lanes_kernels<CipherMode::cbc_pkcs7_encrypt, LaneKeys::each>();
const ByRounds<LaneArguments> ending_decrypt =
    message_lanes_kernels<CipherMode::cbc_pkcs7_decrypt, LaneKeys::each>();
}  // namespace lanes_key_each

}  // namespace warpaes::kernels
