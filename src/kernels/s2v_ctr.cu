#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"
#include "kernels/s2v_ctr.hpp"

namespace warpaes::kernels {

CudaError prepare_s2v_ctr(const LaunchPolicy& policy) {
  const uint32_t one = message_lanes_policy(policy, LaneKeys::one).shared_bytes,
                 each = message_lanes_policy(policy, LaneKeys::each).shared_bytes;
  CudaError result = allow_shared_memory(s2v_ctr_encrypt, one);
  if (result == cudaSuccess) result = allow_shared_memory(s2v_ctr_decrypt, one);
  if (result == cudaSuccess) result = allow_shared_memory(s2v_ctr_key_each_encrypt, each);
  if (result == cudaSuccess) result = allow_shared_memory(s2v_ctr_key_each_decrypt, each);
  return result;
}

CudaError launch_s2v_ctr(const S2vCtrArguments& arguments, LaneKeys keys, warpaes_direction direction,
                         int rounds, uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const bool encrypts = direction == WARPAES_ENCRYPT;
  const auto& one = encrypts ? s2v_ctr_encrypt : s2v_ctr_decrypt;
  const auto& each = encrypts ? s2v_ctr_key_each_encrypt : s2v_ctr_key_each_decrypt;
  const BatchPolicy shape = message_lanes_policy(policy, keys);
  return launch((keys == LaneKeys::one ? one : each)[rounds], arguments, blocks, shape.threads,
                shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
