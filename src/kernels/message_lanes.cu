#include <array>

#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"

namespace warpaes::kernels {
namespace {

using Kernels = const ByRounds<LaneArguments>*;

constexpr size_t kModes = static_cast<size_t>(CipherMode::cfb1_decrypt) + 1;

// In the order of CipherMode. Modes that share a kernel differ in its arguments: CBC-MAC is CMAC with masks
// of zeros.
constexpr std::array<Kernels, kModes> kOneKey{&lanes::ecb_encrypt,
                                              &lanes::ecb_decrypt,
                                              &lanes::cbc_encrypt,
                                              &lanes::cbc_decrypt,
                                              &lanes::cfb_encrypt,
                                              &lanes::cfb_decrypt,
                                              &lanes::ofb,
                                              &lanes::ctr,
                                              &lanes::cmac,
                                              &lanes::cmac,
                                              &lanes::xts_encrypt,
                                              &lanes::xts_decrypt,
                                              &lanes::wrap,
                                              &lanes::unwrap,
                                              &lanes::wrap,
                                              &lanes::unwrap,
                                              &lanes::ending_encrypt,
                                              &lanes::ending_decrypt,
                                              &lanes::ending_encrypt,
                                              &lanes::ending_decrypt,
                                              &lanes::ending_encrypt,
                                              &lanes::ending_decrypt,
                                              &lanes::ending_encrypt,
                                              &lanes::ending_decrypt,
                                              &lanes::ending_encrypt,
                                              &lanes::ending_decrypt,
                                              &lanes::segments,
                                              &lanes::segments,
                                              &lanes::segments,
                                              &lanes::segments};
constexpr std::array<Kernels, kModes> kKeyEach{&lanes_key_each::ecb_encrypt,
                                               &lanes_key_each::ecb_decrypt,
                                               &lanes_key_each::cbc_encrypt,
                                               &lanes_key_each::cbc_decrypt,
                                               &lanes_key_each::cfb_encrypt,
                                               &lanes_key_each::cfb_decrypt,
                                               &lanes_key_each::ofb,
                                               &lanes_key_each::ctr,
                                               &lanes_key_each::cmac,
                                               nullptr,
                                               &lanes_key_each::xts_encrypt,
                                               &lanes_key_each::xts_decrypt,
                                               &lanes_key_each::wrap,
                                               &lanes_key_each::unwrap,
                                               &lanes_key_each::wrap,
                                               &lanes_key_each::unwrap,
                                               &lanes_key_each::ending_encrypt,
                                               &lanes_key_each::ending_decrypt,
                                               &lanes_key_each::ending_encrypt,
                                               &lanes_key_each::ending_decrypt,
                                               &lanes_key_each::ending_encrypt,
                                               &lanes_key_each::ending_decrypt,
                                               &lanes_key_each::ending_encrypt,
                                               &lanes_key_each::ending_decrypt,
                                               &lanes_key_each::ending_encrypt,
                                               &lanes_key_each::ending_decrypt,
                                               &lanes_key_each::segments,
                                               &lanes_key_each::segments,
                                               &lanes_key_each::segments,
                                               &lanes_key_each::segments};

constexpr const std::array<Kernels, kModes>& table_of(LaneKeys keys) {
  return keys == LaneKeys::one ? kOneKey : kKeyEach;
}

}  // namespace

CudaError prepare_message_lanes(const LaunchPolicy& policy) {
  for (const LaneKeys keys : {LaneKeys::one, LaneKeys::each}) {
    for (size_t mode = 0; mode < kModes; mode++) {
      const Kernels kernels = table_of(keys)[mode];
      if (kernels == nullptr) continue;
      const uint32_t bytes = message_lanes_policy(policy, keys, static_cast<CipherMode>(mode)).shared_bytes;
      const CudaError result = allow_shared_memory(*kernels, bytes);
      if (result != cudaSuccess) return result;
    }
  }
  return cudaSuccess;
}

CudaError launch_message_lanes(const LaneArguments& arguments, CipherMode mode, LaneKeys keys, int rounds,
                               uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const auto& kernels = *table_of(keys)[static_cast<size_t>(mode)];
  const BatchPolicy shape = message_lanes_policy(policy, keys, mode);
  return launch(kernels[rounds], arguments, blocks, shape.threads, shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
