#include "kernels/message_batch_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<OneKeyBatch> one_key_encrypt = batch_kernels<Ciphertext::output, OneKeyBatch>();
const ByRounds<OneKeyBatch> one_key_decrypt = batch_kernels<Ciphertext::input, OneKeyBatch>();

CudaError launch_batch(const OneKeyBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                       const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = one_key_policy(policy);
  const auto& kernels = direction == WARPAES_ENCRYPT ? one_key_encrypt : one_key_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError prepare_one_key_batches(const LaunchPolicy& policy) {
  const uint32_t bytes = one_key_policy(policy).shared_bytes;
  const CudaError result = allow_shared_memory(one_key_encrypt, bytes);
  return result == cudaSuccess ? allow_shared_memory(one_key_decrypt, bytes) : result;
}

}  // namespace warpaes::kernels
