// The functions of the engine on bit planes, as launches. They are templates over the machine that runs the
// kernels: a GPU, or the emulated GPU of the tests.
#pragma once

#include <algorithm>
#include <memory>

#include "engines/batch.hpp"
#include "engines/cuda/bitsliced_key.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/counter_launches.hpp"
#include "engines/cuda/warp_runs.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/grid/bitsliced_cbc_cfb_decrypt.hpp"
#include "kernels/grid/bitsliced_ecb.hpp"
#include "kernels/grid/bitsliced_xts.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
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
    const WipedArguments<SlicedCodebookArguments> arguments{
        {Way == WARPAES_DIRECTION_ENCRYPT ? key.encryption : key.decryption, run.input, run.output,
         run.bytes / 16}};
    const SlicedGeometry geometry(key.shape, arguments.blocks);
    Gpu::run(kernels::grid::BitslicedEcb<Way>{}, key.target(), arguments, geometry.size(), stream);
  }

  template <Unchaining Mode>
  static void unchain(const EngineKey& engine_key, const ChainRun& run, void* workspace, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const BitslicedKey&>(engine_key);
    const uint64_t blocks = (run.bytes - 1) / 16 + 1;
    const SlicedGeometry geometry(key.shape, blocks);
    const uint64_t run_blocks = geometry.run_blocks(blocks);
    WipedArguments<SlicedUnchainArguments> arguments{};
    arguments.keys = Mode == Unchaining::cbc ? key.decryption : key.encryption;
    describe_unchain<Gpu>(arguments, key, run, run_blocks,
                          static_cast<uint32_t>((blocks - 1) / run_blocks + 1), workspace, stream);
    Gpu::run(kernels::grid::BitslicedCbcCfbDecrypt<Mode>{}, key.target(), arguments, geometry.size(), stream);
  }

  static void xts(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const BitslicedKey&>(keys.data);
    WipedArguments<SlicedXtsArguments> arguments{};
    describe_xts(arguments, run);
    arguments.keys = direction == WARPAES_DIRECTION_ENCRYPT ? key.encryption : key.decryption;
    arguments.tweak_keys = static_cast<const BitslicedKey&>(keys.tweak).encryption;
    find_stealing(arguments);
    const SlicedGeometry geometry(key.shape, key.shape.policy.bitsliced_xts_blocks, arguments.blocks);
    arguments.run_blocks = geometry.run_blocks(arguments.blocks);
    arguments.runs = static_cast<uint32_t>((arguments.blocks - 1) / arguments.run_blocks + 1);
    with_direction(direction, [&](auto way) {
      Gpu::run(kernels::grid::BitslicedXts<way()>{}, key.target(), arguments, geometry.size(), stream);
      if (arguments.stealing_units == 0) return;
      const SlicedGeometry stealing(key.shape, arguments.stealing_units);
      Gpu::run(kernels::grid::BitslicedXtsStealing<way()>{}, key.target(), arguments, stealing.size(),
               stream);
    });
  }

  static void counter(const EngineKey& engine_key, const CounterRun& run, Stream stream) {
    const CounterKey key = counter_key(static_cast<const BitslicedKey&>(engine_key));
    for_each_counter_part(run, [&](CounterBlock first, const CounterRun& part) {
      CounterLaunches<Gpu>::counter(key, CounterKernel::bitsliced, first, part, stream);
    });
  }

  static size_t gcm_workspace_bytes(uint64_t messages, uint64_t bytes) {
    return CounterLaunches<Gpu>::workspace_bytes(messages, bytes);
  }

  static void gcm(const BatchKey& batch_key, const Batch& batch, void* workspace, Stream stream) {
    const auto& key = static_cast<const BitslicedKey&>(batch_key.prepared);
    if (!is_regular(batch)) throw Failure(WARPAES_ERROR_UNSUPPORTED, "ragged batches on bit planes");
    for (uint64_t done = 0; done < batch.messages; done += kMaxLaunchMessages) {
      CounterLaunches<Gpu>::gcm(counter_key(key), CounterKernel::bitsliced,
                                part_of(batch, done, std::min(batch.messages - done, kMaxLaunchMessages)),
                                workspace, stream);
    }
  }

  static void gcm_part_tag(const EngineKey& key, const GcmPartRun& run, void* workspace, Stream stream) {
    CounterLaunches<Gpu>::gcm_part(counter_key(static_cast<const BitslicedKey&>(key)),
                                   CounterKernel::bitsliced, run, workspace, stream);
  }

 private:
  /// Finds the data units with ciphertext stealing: either all of them have it, or the last one only, or all
  /// but the last.
  static void find_stealing(SlicedXtsArguments& arguments) {
    const uint64_t full = arguments.bytes / arguments.unit_bytes,
                   rest = arguments.bytes % arguments.unit_bytes;
    const uint64_t of_full = arguments.unit_bytes % 16 != 0 ? full : 0;
    arguments.first_stealing = full - of_full;
    arguments.stealing_units = of_full + (rest % 16 != 0 ? 1 : 0);
  }

  /// A launch counts its tasks in 32 bits.
  static constexpr uint64_t kMaxLaunchMessages = uint64_t{1} << 24;

  static CounterKey counter_key(const BitslicedKey& key) {
    return {key.round_keys, key.encryption, key.powers, key.target()};
  }
};

}  // namespace warpaes::core
