#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

CudaError prepare_ocb(const LaunchPolicy& policy) {
  const uint32_t encrypting = ocb_policy(policy, WARPAES_ENCRYPT).shared_bytes,
                 decrypting = ocb_policy(policy, WARPAES_DECRYPT).shared_bytes;
  CudaError result = allow_shared_memory(ocb_batch_encrypt, encrypting);
  if (result == cudaSuccess) result = allow_shared_memory(ocb_batch_decrypt, decrypting);
  if (result == cudaSuccess) result = allow_shared_memory(ocb_long_encrypt, encrypting);
  if (result == cudaSuccess) result = allow_shared_memory(ocb_long_decrypt, decrypting);
  if (result == cudaSuccess) {
    result =
        allow_shared_memory(ocb_key_each_encrypt, ocb_key_each_policy(policy, WARPAES_ENCRYPT).shared_bytes);
  }
  if (result != cudaSuccess) return result;
  return allow_shared_memory(ocb_key_each_decrypt, ocb_key_each_policy(policy, WARPAES_DECRYPT).shared_bytes);
}

CudaError launch_ocb_batch(const OcbBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                           const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = ocb_policy(policy, direction);
  const auto& kernels = direction == WARPAES_ENCRYPT ? ocb_batch_encrypt : ocb_batch_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError launch_ocb_key_each(const OcbKeyEachBatch& batch, warpaes_direction direction, int rounds,
                              uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = ocb_key_each_policy(policy, direction);
  const auto& kernels = direction == WARPAES_ENCRYPT ? ocb_key_each_encrypt : ocb_key_each_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError launch_ocb_long(const OcbLongArguments& arguments, warpaes_direction direction, int rounds,
                          uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = ocb_policy(policy, direction);
  const auto& kernels = direction == WARPAES_ENCRYPT ? ocb_long_encrypt : ocb_long_decrypt;
  return launch(kernels[rounds], arguments, blocks, shape.threads, shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
