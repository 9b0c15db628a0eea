#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

CudaError prepare_siv(const LaunchPolicy& policy) {
  const uint32_t batch_bytes = key_each_policy(policy).shared_bytes;
  CudaError result = cudaSuccess;
  for (const auto* kernels : {&siv_batch_encrypt, &siv_batch_decrypt}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, batch_bytes);
  }
  for (const auto* kernels : {&siv_key_each_encrypt, &siv_key_each_decrypt}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, batch_bytes);
  }
  for (const auto* kernels : {&siv_hash, &siv_crypt, &siv_open}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, shared_bytes(policy));
  }
  return result;
}

CudaError launch_siv_batch(const SivBatch& batch, warpaes_direction direction, int rounds, uint32_t blocks,
                           const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = key_each_policy(policy);
  const auto& kernels = direction == WARPAES_ENCRYPT ? siv_batch_encrypt : siv_batch_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError launch_siv_key_each(const KeyEachBatch& batch, warpaes_direction direction, int rounds,
                              uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const BatchPolicy shape = key_each_policy(policy);
  const auto& kernels = direction == WARPAES_ENCRYPT ? siv_key_each_encrypt : siv_key_each_decrypt;
  return launch(kernels[rounds], batch, blocks, shape.threads, shape.shared_bytes, stream);
}

CudaError launch_siv_long(const SivLongArguments& arguments, SivWork work, int rounds, uint32_t blocks,
                          const LaunchPolicy& policy, Stream stream) {
  // In the order of SivWork.
  static constexpr const ByRounds<SivLongArguments>* kKernels[] = {&siv_hash, &siv_crypt, &siv_open};
  const BatchPolicy shape = siv_long_policy(policy);
  return launch((*kKernels[static_cast<int>(work)])[rounds], arguments, blocks, shape.threads,
                shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
