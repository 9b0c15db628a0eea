// The engine on top of the bitsliced kernels, for any machine that runs their bodies: a GPU, or the emulated
// one of the tests.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>
#include <memory>

#include "engines/cuda/wiped.hpp"
#include "engines/engine.hpp"
#include "kernels/kernels.hpp"
#include "primitives/bitsliced_keys.hpp"

namespace warpaes {

/// Lives on the host; kernels take the masks of one direction as parameters.
class BitslicedKey : public EngineKey {
 public:
  BitslicedKey(const KeySchedule& schedule, int on_device, const kernels::DeviceShape& device_shape)
      : rounds(schedule.rounds()), device(on_device), shape(device_shape) {
    fill_sliced_keys(encryption, schedule.encryption(), rounds);
    fill_sliced_decryption_keys(decryption, schedule.decryption(), rounds);
  }
  ~BitslicedKey() override {
    OPENSSL_cleanse(&encryption, sizeof encryption);
    OPENSSL_cleanse(&decryption, sizeof decryption);
  }
  BitslicedKey(const BitslicedKey&) = delete;
  BitslicedKey& operator=(const BitslicedKey&) = delete;

  SlicedKeys encryption{}, decryption{};
  int rounds;
  int device;
  kernels::DeviceShape shape;
};

/// As many blocks of threads as run at the same time, unless the message has less work: then first smaller
/// blocks on every multiprocessor, since a thread takes as long for its first blocks whoever else runs.
struct SlicedGeometry {
  uint32_t blocks, threads;

  SlicedGeometry(const kernels::DeviceShape& shape, uint64_t message_blocks) {
    const uint64_t warps = (message_blocks - 1) / kSlicedWarpBlocks + 1;
    const uint64_t multiprocessors = static_cast<uint64_t>(shape.multiprocessors);
    const uint64_t most = static_cast<uint64_t>(shape.policy.bitsliced_threads) / kWarpLanes;
    const uint64_t each = std::min((warps - 1) / multiprocessors + 1, most);
    threads = static_cast<uint32_t>(each) * kWarpLanes;
    blocks = static_cast<uint32_t>(
        std::min((warps - 1) / each + 1, multiprocessors * shape.policy.bitsliced_blocks));
  }
};

/// @tparam Gpu how to launch: see CudaGpu in cuda_engine.cpp. Its functions throw Failure.
template <class Gpu>
class BitslicedEngine {
 public:
  static std::unique_ptr<EngineKey> prepare(const KeySchedule& schedule, int device) {
    return std::make_unique<BitslicedKey>(schedule, device, Gpu::shape(device));
  }

  template <Direction Way>
  static void blocks(const EngineKey& engine_key, const BlockRun& run, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const BitslicedKey&>(engine_key);
    const Wiped<SlicedCodebookArguments> arguments{
        {Way == WARPAES_ENCRYPT ? key.encryption : key.decryption, run.input, run.output, run.bytes / 16}};
    const SlicedGeometry geometry(key.shape, arguments.blocks);
    Gpu::bitsliced_codebook(key, arguments, Way, geometry.blocks, geometry.threads, stream);
  }
};

}  // namespace warpaes
