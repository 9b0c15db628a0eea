#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

using Kernels = const ByRounds<ChainedAeadArguments>*;

// By LaneKeys, ChainedAead and direction.
constexpr Kernels kKernels[2][2][2] = {{{&chained_one_key::ccm_encrypt, &chained_one_key::ccm_decrypt},
                                        {&chained_one_key::eax_encrypt, &chained_one_key::eax_decrypt}},
                                       {{&chained_key_each::ccm_encrypt, &chained_key_each::ccm_decrypt},
                                        {&chained_key_each::eax_encrypt, &chained_key_each::eax_decrypt}}};

}  // namespace

CudaError prepare_chained_aead(const LaunchPolicy& policy) {
  for (const auto& keys : kKernels) {
    for (const auto& mode : keys) {
      for (const Kernels kernels : mode) {
        const CudaError result = allow_shared_memory(*kernels, shared_bytes(policy));
        if (result != cudaSuccess) return result;
      }
    }
  }
  return cudaSuccess;
}

CudaError launch_chained_aead(const ChainedAeadArguments& arguments, ChainedAead mode, LaneKeys keys,
                              warpaes_direction direction, int rounds, uint32_t blocks,
                              const LaunchPolicy& policy, Stream stream) {
  const bool decrypts = direction == WARPAES_DECRYPT;
  const auto& kernels = *kKernels[static_cast<int>(keys)][static_cast<int>(mode)][decrypts ? 1 : 0];
  const BatchPolicy shape = chained_aead_policy(policy, mode, keys, rounds);
  return launch(kernels[rounds], arguments, blocks, shape.threads, shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
