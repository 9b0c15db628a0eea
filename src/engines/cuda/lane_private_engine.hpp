// The engine on top of the lane-private kernels, for any machine that runs their bodies: a GPU, or the
// emulated one of the tests. Turns a mode's call into launches.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>
#include <memory>

#include "engines/cuda/wiped.hpp"
#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/kernels.hpp"
#include "primitives/ghash.hpp"
#include "primitives/careful_block.hpp"

namespace warpaes {

/// Lives on the host. Kernels take round keys and hash powers as parameters, from where every thread
/// reads them for free (docs/design/keys-on-the-device.md).
class LanePrivateKey : public EngineKey {
 public:
  LanePrivateKey(const KeySchedule& key_schedule, int on_device, const kernels::DeviceShape& device_shape)
      : schedule(key_schedule), device(on_device), shape(device_shape) {
    uint8_t h[16] = {};
    careful_block(schedule.encryption(), schedule.rounds(), h, h);
    fill_powers(powers, gf128_from_block(h));
    OPENSSL_cleanse(h, sizeof h);
  }
  ~LanePrivateKey() override { OPENSSL_cleanse(&powers, sizeof powers); }
  LanePrivateKey(const LanePrivateKey&) = delete;
  LanePrivateKey& operator=(const LanePrivateKey&) = delete;

  KeySchedule schedule;
  GhashPowers powers;
  int device;
  kernels::DeviceShape shape;
};

/// How a batch of counter-mode messages is dealt out: each message in `runs` runs of `groups_per_run`
/// groups, two warps a run.
struct RunGeometry {
  uint32_t runs, groups_per_run;
  uint32_t blocks;

  RunGeometry(const kernels::DeviceShape& shape, uint64_t messages, uint64_t bytes) {
    const uint64_t groups = std::max<uint64_t>((bytes + 16 * kGroupBlocks - 1) / (16 * kGroupBlocks), 1);
    const uint64_t warps = shape.policy.counter_threads / kWarpLanes;
    const uint64_t pairs = shape.multiprocessors * warps / 2;
    groups_per_run =
        static_cast<uint32_t>((groups - 1) / std::clamp<uint64_t>(pairs / messages, 1, groups) + 1);
    runs = static_cast<uint32_t>((groups - 1) / groups_per_run + 1);
    blocks = static_cast<uint32_t>(std::min<uint64_t>(shape.multiprocessors, 2 * messages * runs));
  }
};

/// How many lanes walk messages. With more messages than lanes, so many warps take part that all have the
/// same number of messages, as far as that goes: half of the warps in two turns, not all and then some.
struct ChainedGeometry {
  uint32_t blocks, warps;

  ChainedGeometry(const kernels::DeviceShape& shape, uint64_t messages) {
    const uint64_t multiprocessors = static_cast<uint64_t>(shape.multiprocessors);
    const uint64_t most = static_cast<uint64_t>(shape.policy.codebook_threads) / kWarpLanes;
    const uint64_t tasks = (messages + kWarpLanes - 1) / kWarpLanes;
    const uint64_t tasks_per_block = (tasks - 1) / multiprocessors + 1;
    const uint64_t turns = (tasks_per_block - 1) / most + 1;
    blocks = static_cast<uint32_t>(std::min(tasks, multiprocessors));
    warps = static_cast<uint32_t>((tasks_per_block - 1) / turns + 1);
  }
};

/// What a GCM call keeps in the workspace: a counter a message, then the sums of its runs' halves.
struct GcmWorkspace {
  uint64_t arrival_bytes, sum_bytes;

  GcmWorkspace(uint64_t messages, uint64_t runs)
      : arrival_bytes((messages * sizeof(uint32_t) + 15) / 16 * 16),
        sum_bytes(2 * runs * messages * sizeof(Gf128)) {}
};

/// No GPU has more pairs of warps at work than this: 256 multiprocessors of 2048 threads.
constexpr uint64_t kMaxWarpPairs = 256 * 2048 / kWarpLanes / 2;

/// @tparam Gpu how to launch: see CudaGpu in cuda_engine.cpp. Its functions throw Failure.
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
    const RoundKeys& keys = Way == WARPAES_ENCRYPT ? key.schedule.encryption() : key.schedule.decryption();
    const Wiped<CodebookArguments> arguments{{keys, run.input, run.output, run.bytes / 16}};
    const uint64_t wanted = (arguments.blocks - 1) / key.shape.policy.codebook_threads + 1;
    Gpu::codebook(key, arguments, Way,
                  static_cast<uint32_t>(std::min<uint64_t>(wanted, key.shape.multiprocessors)), stream);
  }

  /// The kernel counts in 32 bits, so a launch ends where they would wrap.
  static void counter(const EngineKey& engine_key, const CounterRun& run, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    CounterBlock next = load_counter(run.counter);
    for (uint64_t done = 0; done < run.bytes;) {
      const uint64_t until_wrap = ((uint64_t{1} << 32) - (next.low & 0xffffffff)) * 16;
      const uint64_t bytes = std::min(run.bytes - done, until_wrap);
      const RunGeometry geometry(key.shape, 1, bytes);
      Wiped<CounterArguments> arguments{};
      describe(arguments, key, next, {1, bytes, run.input + done, 0, run.output + done, 0}, geometry);
      Gpu::counter(key, arguments, geometry.blocks, stream);
      next = add128(next, bytes / 16);
      done += bytes;
    }
  }

  static void chained_batch(const EngineKey& engine_key, const ChainedBatch& batch, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    for (uint64_t done = 0; done < batch.messages; done += kMaxLaunchMessages) {
      const uint64_t messages = std::min(batch.messages - done, kMaxLaunchMessages);
      const ChainedGeometry geometry(key.shape, messages);
      Wiped<ChainedArguments> arguments{};
      describe(arguments, key, batch, done);
      arguments.messages = static_cast<uint32_t>(messages);
      arguments.warps = geometry.warps;
      Gpu::chained(key, arguments, batch.chaining, geometry.blocks, stream);
    }
  }

  static size_t gcm_workspace_bytes(uint64_t messages, uint64_t bytes) {
    const uint64_t groups = bytes / (16 * kGroupBlocks) + 1;
    const uint64_t runs = std::clamp<uint64_t>(kMaxWarpPairs / std::max<uint64_t>(messages, 1), 1, groups);
    const GcmWorkspace workspace(messages, runs);
    return workspace.arrival_bytes + workspace.sum_bytes;
  }

  static void gcm(const EngineKey& engine_key, const GcmBatch& batch, void* workspace, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    if (!is_regular(batch)) throw Failure(WARPAES_ERROR_UNSUPPORTED, "ragged batches on a GPU");
    for (uint64_t done = 0; done < batch.messages; done += kMaxLaunchMessages) {
      launch_gcm(key, part_of(batch, done), workspace, stream);
    }
  }

 private:
  /// A launch counts its tasks in 32 bits.
  static constexpr uint64_t kMaxLaunchMessages = uint64_t{1} << 24;

  /// @param first the message that the launch begins with
  static void describe(ChainedArguments& arguments, const LanePrivateKey& key, const ChainedBatch& batch,
                       uint64_t first) {
    const auto at = [first](auto* array, uint64_t stride) {
      return array == nullptr ? nullptr : array + first * stride;
    };
    arguments.keys = key.schedule.encryption();
    if (batch.chaining == Chaining::cmac) set_masks(arguments, key);
    arguments.input = at(batch.input, batch.input_stride);
    arguments.output = at(batch.output, batch.output_stride);
    arguments.bytes = batch.bytes;
    arguments.input_stride = batch.input_stride;
    arguments.output_stride = batch.output_stride;
    arguments.inputs = at(batch.inputs, 1);
    arguments.outputs = at(batch.outputs, 1);
    arguments.lengths = at(batch.lengths, 1);
    arguments.ivs = at(batch.ivs, batch.iv_stride);
    arguments.iv_stride = batch.iv_stride;
    arguments.tags = at(batch.tags, batch.tag_stride);
    arguments.tag_stride = batch.tag_stride;
    arguments.tag_bytes = static_cast<uint32_t>(batch.tag_bytes);
    arguments.whole_blocks = needs_whole_blocks(batch.chaining);
    arguments.statuses = at(batch.statuses, 1);
  }

  static void set_masks(ChainedArguments& arguments, const LanePrivateKey& key) {
    MacBlock l{};
    careful_block(key.schedule.encryption(), key.schedule.rounds(), l.data(), l.data());
    MacMasks masks = cmac_subkeys(l);
    arguments.whole_mask = load_bytes(masks.whole.data(), 16);
    arguments.padded_mask = load_bytes(masks.padded.data(), 16);
    OPENSSL_cleanse(l.data(), l.size());
    OPENSSL_cleanse(&masks, sizeof masks);
  }

  static GcmBatch part_of(const GcmBatch& batch, uint64_t first) {
    GcmBatch part = batch;
    part.messages = std::min(batch.messages - first, kMaxLaunchMessages);
    part.input += first * batch.input_stride;
    part.output += first * batch.output_stride;
    if (batch.nonces != nullptr) part.nonces += first * batch.nonce_stride;
    if (batch.aad != nullptr) part.aad += first * batch.aad_stride;
    part.tags += first * batch.tag_stride;
    if (batch.statuses != nullptr) part.statuses += first;
    return part;
  }

  static void launch_gcm(const LanePrivateKey& key, const GcmBatch& batch, void* workspace, Stream stream) {
    const RunGeometry geometry(key.shape, batch.messages, batch.bytes);
    const GcmWorkspace layout(batch.messages, geometry.runs);
    Wiped<GcmArguments> arguments{};
    CounterBlock first{};
    if (batch.host_nonce != nullptr) {
      Ghash ghash(key.powers.positive[0]);
      first = add32(gcm_initial_counter(ghash, batch.host_nonce, batch.host_nonce_bytes), 1);
    }
    describe(
        arguments, key, first,
        {batch.messages, batch.bytes, batch.input, batch.input_stride, batch.output, batch.output_stride},
        geometry);
    arguments.nonces = batch.host_nonce != nullptr ? nullptr : batch.nonces;
    arguments.nonce_stride = batch.nonce_stride;
    arguments.aad = batch.aad;
    arguments.aad_bytes = batch.aad_bytes;
    arguments.aad_stride = batch.aad_stride;
    arguments.tags = batch.tags;
    arguments.tag_stride = batch.tag_stride;
    arguments.tag_bytes = static_cast<uint32_t>(batch.tag_bytes);
    arguments.statuses = batch.statuses;
    arguments.arrivals = static_cast<uint32_t*>(workspace);
    arguments.sums = reinterpret_cast<Gf128*>(static_cast<uint8_t*>(workspace) + layout.arrival_bytes);
    arguments.powers = key.powers;

    Gpu::zero(key, workspace, layout.arrival_bytes, stream);
    Gpu::gcm(key, arguments, batch.direction, geometry.blocks, stream);
    if (batch.direction == WARPAES_DECRYPT && batch.bytes != 0) {
      Gpu::wipe_failed(key, {batch.statuses, batch.output, batch.output_stride, batch.bytes, batch.messages},
                       stream);
    }
  }

  struct Messages {
    uint64_t count, bytes;
    const uint8_t* input;
    uint64_t input_stride;
    uint8_t* output;
    uint64_t output_stride;
  };

  static void describe(CounterArguments& arguments, const LanePrivateKey& key, CounterBlock first,
                       const Messages& messages, const RunGeometry& geometry) {
    uint8_t block[16];
    store_counter(block, first);
    arguments.keys = key.schedule.encryption();
    arguments.initial = load_bytes(block, sizeof block);
    arguments.input = messages.input;
    arguments.output = messages.output;
    arguments.bytes = messages.bytes;
    arguments.runs = geometry.runs;
    arguments.groups_per_run = geometry.groups_per_run;
    arguments.messages = static_cast<uint32_t>(messages.count);
    arguments.input_stride = messages.input_stride;
    arguments.output_stride = messages.output_stride;
  }
};

}  // namespace warpaes
