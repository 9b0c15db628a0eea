// The functions of the engine with lane-private tables, as launches. They are templates over the machine that
// runs the kernels: a GPU, or the emulated GPU of the tests.
#pragma once

#include <algorithm>
#include <memory>

#include "engines/batch.hpp"
#include "engines/cuda/counter_launches.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/message_launches.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/grid/ecb.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class LanePrivateEngine {
 public:
  static std::unique_ptr<EngineKey> prepare(const KeySchedule& schedule, int device) {
    return std::make_unique<LanePrivateKey>(schedule, device, Gpu::shape(device));
  }

  template <Direction Way>
  static void blocks(const EngineKey& engine_key, const BlockRun& run, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    const RoundKeys& keys =
        Way == WARPAES_DIRECTION_ENCRYPT ? key.schedule.encryption() : key.schedule.decryption();
    const WipedArguments<CodebookArguments> arguments{{keys, run.input, run.output, run.bytes / 16}};
    const uint64_t wanted = (arguments.blocks - 1) / key.shape.policy.ecb_threads + 1;
    const uint64_t blocks = std::min<uint64_t>(wanted, key.shape.multiprocessors);
    Gpu::run(kernels::grid::Ecb<Way>{}, key.target(), arguments, {static_cast<uint32_t>(blocks)}, stream);
  }

  static void counter(const EngineKey& engine_key, const CounterRun& run, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    for_each_counter_part(run, [&](CounterBlock first, const CounterRun& part) {
      if (part.bytes <= MessageLaunches<Gpu>::small_bytes(key.shape)) {
        MessageLaunches<Gpu>::counter(key, first, part, stream);
      } else {
        CounterLaunches<Gpu>::counter(counter_key(key), CounterKernel::tables, first, part, stream);
      }
    });
  }

  static size_t gcm_workspace_bytes(uint64_t messages, uint64_t bytes) {
    return std::max<size_t>(CounterLaunches<Gpu>::workspace_bytes(messages, bytes),
                            MessageLaunches<Gpu>::workspace_bytes(messages, bytes));
  }

  static void gcm(const BatchKey& batch_key, const Batch& batch, void* workspace, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    for_each_launch(batch, [&](const Batch& part, uint64_t) {
      if (MessageLaunches<Gpu>::gcm(key, part, workspace, stream)) return;
      CounterLaunches<Gpu>::gcm(counter_key(key), CounterKernel::tables, part, workspace, stream);
    });
  }

  static void gcm_part_tag(const EngineKey& key, const GcmPartRun& run, void* workspace, Stream stream) {
    CounterLaunches<Gpu>::gcm_part(counter_key(static_cast<const LanePrivateKey&>(key)),
                                   CounterKernel::tables, run, workspace, stream);
  }

 private:
  static CounterKey counter_key(const LanePrivateKey& key) {
    return {key.schedule.encryption(), key.sliced, key.powers, key.target()};
  }
};

}  // namespace warpaes::core
