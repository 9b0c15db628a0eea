#include "kernels/message_batch_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<KeyEachBatch> key_each_encrypt = batch_kernels<Ciphertext::output, KeyEachBatch>();
const ByRounds<KeyEachBatch> key_each_decrypt = batch_kernels<Ciphertext::input, KeyEachBatch>();

CudaError launch_batch(const KeyEachBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                       const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = key_each_policy(policy);
  const auto& kernels = direction == WARPAES_ENCRYPT ? key_each_encrypt : key_each_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError prepare_key_each_batches(const LaunchPolicy& policy) {
  const uint32_t bytes = key_each_policy(policy).shared_bytes;
  const CudaError result = allow_shared_memory(key_each_encrypt, bytes);
  return result == cudaSuccess ? allow_shared_memory(key_each_decrypt, bytes) : result;
}

}  // namespace warpaes::kernels
