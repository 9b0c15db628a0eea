#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {

CudaError prepare_chained_aead(const LaunchPolicy& policy) {
  const uint32_t bytes = chained_aead_policy(policy).shared_bytes;
  CudaError result = cudaSuccess;
  for (const auto* kernels : {&ccm_encrypt, &ccm_decrypt, &eax_encrypt, &eax_decrypt}) {
    if (result == cudaSuccess) result = allow_shared_memory(*kernels, bytes);
  }
  return result;
}

CudaError launch_chained_aead(const ChainedAeadArguments& arguments, ChainedAead mode,
                              warpaes_direction direction, int rounds, uint32_t blocks,
                              const LaunchPolicy& policy, Stream stream) {
  const bool encrypts = direction == WARPAES_ENCRYPT;
  const auto& ccm = encrypts ? ccm_encrypt : ccm_decrypt;
  const auto& eax = encrypts ? eax_encrypt : eax_decrypt;
  const BatchPolicy shape = chained_aead_policy(policy);
  return launch((mode == ChainedAead::ccm ? ccm : eax)[rounds], arguments, blocks, shape.threads,
                shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
