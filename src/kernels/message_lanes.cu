#include <array>

#include "kernels/batch_policy.hpp"
#include "kernels/launch.cuh"
#include "kernels/message_lanes.hpp"

namespace warpaes::kernels {
namespace {

using Kernels = const ByRounds<LaneArguments>*;

// In the order of CipherMode. CBC-MAC is CMAC with masks of zeros.
constexpr std::array<Kernels, 10> kOneKey{
    &lanes::ecb_encrypt, &lanes::ecb_decrypt, &lanes::cbc_encrypt, &lanes::cbc_decrypt, &lanes::cfb_encrypt,
    &lanes::cfb_decrypt, &lanes::ofb,         &lanes::ctr,         &lanes::cmac,        &lanes::cmac};
constexpr std::array<Kernels, 10> kKeyEach{&lanes_key_each::ecb_encrypt, nullptr,
                                           &lanes_key_each::cbc_encrypt, nullptr,
                                           &lanes_key_each::cfb_encrypt, &lanes_key_each::cfb_decrypt,
                                           &lanes_key_each::ofb,         &lanes_key_each::ctr,
                                           &lanes_key_each::cmac,        nullptr};

constexpr const std::array<Kernels, 10>& table_of(LaneKeys keys) {
  return keys == LaneKeys::one ? kOneKey : kKeyEach;
}

}  // namespace

CudaError prepare_message_lanes(const LaunchPolicy& policy) {
  for (const LaneKeys keys : {LaneKeys::one, LaneKeys::each}) {
    for (const Kernels kernels : table_of(keys)) {
      if (kernels == nullptr) continue;
      const CudaError result = allow_shared_memory(*kernels, message_lanes_policy(policy, keys).shared_bytes);
      if (result != cudaSuccess) return result;
    }
  }
  return cudaSuccess;
}

CudaError launch_message_lanes(const LaneArguments& arguments, CipherMode mode, LaneKeys keys, int rounds,
                               uint32_t blocks, const LaunchPolicy& policy, Stream stream) {
  const auto& kernels = *table_of(keys)[static_cast<size_t>(mode)];
  const BatchPolicy shape = message_lanes_policy(policy, keys);
  return launch(kernels[rounds], arguments, blocks, shape.threads, shape.shared_bytes, stream);
}

}  // namespace warpaes::kernels
