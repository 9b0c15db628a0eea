// CTR and GCM of long messages, as launches of the kernels in which many warps share a message. They are
// templates over the machine that runs the kernels, as in lane_private_engine.hpp.
#pragma once

#include <algorithm>

#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/launch_stamp.hpp"
#include "engines/cuda/long_aad_launch.hpp"
#include "engines/cuda/wipe_failed.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "engines/engine.hpp"
#include "kernels/grid/bitsliced_gcm_batches.hpp"
#include "kernels/grid/shifted_ctr_gcm.hpp"
#include "kernels/grid/shifted_hybrid_ctr_gcm.hpp"
#include "primitives/bitsliced_keys.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {

/// What these kernels need of a key.
struct CounterKey {
  const RoundKeys& keys;  // KeySchedule::encryption()
  const SlicedKeys& sliced;
  const GhashPowers& powers;
  kernels::LaunchTarget target;
};

/// Divides CTR of data: kernels count in 32 bits, so a launch ends where these would wrap.
/// @param launch (CounterBlock first, const CounterRun& part), where the part has no counter of its own
template <class Launch>
void for_each_counter_part(const CounterRun& run, const Launch& launch) {
  CounterBlock next = load_counter(run.counter);
  for (uint64_t done = 0; done < run.bytes;) {
    const uint64_t until_wrap = ((uint64_t{1} << 32) - (next.low & 0xffffffff)) * 16;
    const uint64_t bytes = std::min(run.bytes - done, until_wrap);
    launch(next, CounterRun{nullptr, run.input + done, run.output + done, bytes});
    next = add128(next, bytes / 16);
    done += bytes;
  }
}

/// Which kernel computes CTR or GCM of messages that many warps share. The last one has batches of GCM only.
enum class CounterKernel { tables, hybrid, shifted, shifted_hybrid, bitsliced, bitsliced_batches };

/// Calls visit with the kernel for the given choice.
template <Hashed Hash, class Visit>
auto with_counter_kernel(CounterKernel kernel, const Visit& visit) {
  switch (kernel) {
    case CounterKernel::hybrid:
      return visit(kernels::grid::HybridCtrGcm<Hash>{});
    case CounterKernel::shifted:
      return visit(kernels::grid::ShiftedCtrGcm<Hash>{});
    case CounterKernel::shifted_hybrid:
      return visit(kernels::grid::ShiftedHybridCtrGcm<Hash>{});
    case CounterKernel::bitsliced:
      return visit(kernels::grid::BitslicedCtrGcm<Hash>{});
    case CounterKernel::bitsliced_batches:
      if constexpr (Hash != Hashed::nothing) return visit(kernels::grid::BitslicedGcmBatches<Hash>{});
      [[fallthrough]];
    default:
      return visit(kernels::grid::CtrGcm<Hash>{});
  }
}

template <Hashed Hash>
kernels::grid::CounterWarps counter_warps(const LaunchPolicy& policy, int rounds, CounterKernel kernel) {
  return with_counter_kernel<Hash>(kernel, [&](auto chosen) { return chosen.warps(policy, rounds); });
}

/// How messages are distributed to warps; grid/ctr_gcm_arguments.hpp explains groups and runs.
class CounterPlan {
 public:
  /// @param counter the last 32 bits of the counter of the first block, or of J0 if J0 is in a group as well;
  ///        0 for kernels whose groups begin with the first block
  CounterPlan(const kernels::DeviceShape& shape, const kernels::grid::CounterWarps& warps, uint64_t messages,
              uint64_t bytes, uint32_t counter)
      : blocks_(static_cast<uint32_t>(shape.multiprocessors)) {
    const uint64_t groups =
        std::max<uint64_t>((bytes + 15) / 16 + counter % kGroupBlocks + kGroupBlocks - 1, kGroupBlocks) /
        kGroupBlocks;
    const auto warps_a_message = [&](int a_block) -> uint64_t {
      return static_cast<uint64_t>(shape.multiprocessors) * static_cast<uint64_t>(a_block) / messages;
    };
    const uint64_t sliced = groups * static_cast<uint64_t>(warps.sliced_permille) / 1000;
    const uint64_t shares = kGroupBlocks / kWarpLanes / std::max(warps.blocks_a_thread, 1u);
    if (groups > sliced) {
      // The groups for bit planes lie in front of the last run of the others. If there were only one run, bit
      // planes would get the message's first group.
      const uint64_t least = sliced == 0 ? 1 : 2;
      tables_ = Runs(groups - sliced, std::max(warps_a_message(warps.tables) / shares, least));
    }
    if (sliced != 0) sliced_ = Runs(sliced, warps_a_message(warps.sliced));
    table_parts_ = static_cast<uint32_t>(tables_.runs * shares);
    const uint64_t parts = messages * (table_parts_ + sliced_.runs);
    blocks_ = static_cast<uint32_t>(std::min<uint64_t>(blocks_, parts));
  }

  void describe(CounterArguments& arguments) const {
    arguments.table_groups = tables_.groups;
    arguments.table_groups_per_run = tables_.groups_per_run;
    arguments.table_runs = tables_.runs;
    arguments.table_parts = table_parts_;
    arguments.sliced_first = tables_.runs == 0 ? 0 : (tables_.runs - 1) * tables_.groups_per_run;
    arguments.sliced_groups = sliced_.groups;
    arguments.sliced_groups_per_run = sliced_.groups_per_run;
    arguments.sliced_runs = sliced_.runs;
  }

  /// The number of thread blocks.
  uint32_t blocks() const { return blocks_; }

 private:
  struct Runs {
    uint32_t groups = 0, groups_per_run = 0, runs = 0;

    Runs() = default;
    Runs(uint64_t all, uint64_t wanted)
        : groups(static_cast<uint32_t>(all)),
          groups_per_run(static_cast<uint32_t>((all - 1) / std::clamp<uint64_t>(wanted, 1, all) + 1)),
          runs((groups - 1) / groups_per_run + 1) {}
  };

  Runs tables_, sliced_;
  uint32_t table_parts_ = 0, blocks_;
};

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class CounterLaunches {
 public:
  using Kernel = CounterKernel;

  /// @param first the first counter block; its last 32 bits do not wrap within this message
  static void counter(const CounterKey& key, Kernel kernel, CounterBlock first, const CounterRun& run,
                      Stream stream) {
    if (kernel == Kernel::tables) {
      kernel =
          kernel_for<Hashed::nothing>(key, is_aligned(run.input) && is_aligned(run.output), 1, run.bytes);
    }
    const auto counter = static_cast<uint32_t>(first.low);
    const CounterPlan plan(key.target.shape,
                           counter_warps<Hashed::nothing>(key.target.shape.policy, key.target.rounds, kernel),
                           1, run.bytes, counter);
    WipedArguments<SlicedCounterArguments> arguments{};
    describe(arguments, key, first, plan);
    arguments.input = run.input;
    arguments.output = run.output;
    arguments.bytes = run.bytes;
    arguments.messages = 1;
    arguments.sliced_keys = key.sliced;
    launch<Hashed::nothing>(kernel, key, arguments, plan, stream);
  }

  /// @param batch messages of one length, at most kMostMessages of them
  static void gcm(const CounterKey& key, Kernel kernel, const Batch& batch, void* workspace, Stream stream) {
    CounterBlock first{0, 2};  // J0 = nonce || 0^31 1, and its increment
    if (batch.host_nonce != nullptr) {
      Ghash ghash(key.powers.h());
      first = add32(gcm_initial_counter(ghash, batch.host_nonce, batch.host_nonce_bytes), 1);
    }
    gcm_from(first, key, kernel, batch, workspace, stream);
    if (batch.messages == 1 || batch.direction == WARPAES_DIRECTION_ENCRYPT || batch.bytes == 0) return;
    launch_wipe_failed<Gpu>(
        key.target, {batch.statuses, batch.output, batch.output_stride, batch.bytes, batch.messages}, stream);
  }

  static void gcm_part(const CounterKey& key, Kernel kernel, const GcmPartRun& run, void* workspace,
                       Stream stream) {
    Batch batch{};
    batch.direction = run.direction;
    batch.messages = 1;
    batch.bytes = run.bytes;
    batch.input = run.input;
    batch.output = run.output;
    batch.tags = run.tag;
    batch.tag_bytes = 16;
    gcm_from(run.first, key, kernel, batch, workspace, stream);
  }

  /// The workspace: for one message a sum of each thread block; for several, an arrival counter for each
  /// message, and the sums of its parts; and behind them, the sums of long additional data. It never shrinks
  /// when there are more messages or longer ones, so that one workspace serves all batches up to a size.
  static size_t workspace_bytes(uint64_t messages, uint64_t bytes) {
    return part_sums_bytes(messages, bytes) + aad_sums_bytes(messages);
  }

 private:
  static size_t part_sums_bytes(uint64_t messages, uint64_t bytes) {
    const uint64_t groups = bytes / (16 * kGroupBlocks) + 3;
    const size_t of_one = std::min<uint64_t>(4 * groups, kMostSharingBlocks) * sizeof(StampedSum);
    if (messages <= 1) return of_one;
    // A message has a run for each warp there is to a message, but at least 2 and at most one for each group.
    // (The product of so many messages and groups might not fit into 64 bits.)
    const uint64_t most = std::max(kMostWarps, 2 * messages),
                   runs = messages > kMostWarps ? most : std::min(groups * messages, most);
    return std::max<size_t>(of_one, arrivals_bytes(messages) + 4 * runs * sizeof(Gf128));
  }

  /// All of it but the wiping of outputs whose tags were wrong, which for one message is in it as well.
  /// @param first the first counter block, unless there are nonces
  static void gcm_from(CounterBlock first, const CounterKey& key, Kernel kernel, const Batch& batch,
                       void* workspace, Stream stream) {
    if (kernel == Kernel::tables) {
      kernel = kernel_for<Hashed::output>(key, is_in_rows(batch), batch.messages, batch.bytes);
    }
    if (kernel == Kernel::bitsliced && batch.messages != 1) kernel = Kernel::bitsliced_batches;
    const uint32_t counter = kernel == Kernel::bitsliced_batches
                                 ? 0
                                 : static_cast<uint32_t>(first.low) - (kernel == Kernel::bitsliced ? 1 : 0);
    const uint64_t before = kernel == Kernel::bitsliced ? 16 : 0;
    const CounterPlan plan(key.target.shape,
                           counter_warps<Hashed::output>(key.target.shape.policy, key.target.rounds, kernel),
                           batch.messages, batch.bytes + before, counter);
    WipedArguments<SlicedGcmArguments> arguments{};
    describe(arguments, key, first, plan);
    describe(arguments, batch);
    arguments.powers = key.powers;
    arguments.sliced_keys = key.sliced;
    if (batch.messages == 1) {
      arguments.shared = {static_cast<StampedSum*>(workspace), next_launch_stamp()};
    } else {
      const uint64_t arrival_bytes = arrivals_bytes(batch.messages);
      arguments.arrivals = static_cast<uint32_t*>(workspace);
      arguments.sums = reinterpret_cast<Gf128*>(static_cast<uint8_t*>(workspace) + arrival_bytes);
      Gpu::zero(key.target, workspace, arrival_bytes, stream);
    }
    const auto launched = [&] {
      if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
        launch<Hashed::output>(kernel, key, arguments, plan, stream);
      } else {
        launch<Hashed::input>(kernel, key, arguments, plan, stream);
      }
    };
    if (!has_long_aad(batch)) return launched();
    arguments.aad_sums = reinterpret_cast<Gf128*>(static_cast<uint8_t*>(workspace) +
                                                  part_sums_bytes(batch.messages, batch.bytes));
    launch_with_long_aad<Gpu>(key.target, key.powers, batch, arguments.aad_sums, stream, launched);
  }

  template <Hashed Hash>
  static void launch(Kernel kernel, const CounterKey& key,
                     const kernels::grid::SlicedArgumentsOf<Hash>& arguments, const CounterPlan& plan,
                     Stream stream) {
    const kernels::GridSize size{plan.blocks()};
    with_counter_kernel<Hash>(kernel,
                              [&](auto chosen) { Gpu::run(chosen, key.target, arguments, size, stream); });
  }

  static uint64_t arrivals_bytes(uint64_t messages) { return (messages * sizeof(uint32_t) + 15) / 16 * 16; }

  /// The kernel that is fastest for messages of that length.
  /// @param in_rows does each message begin at a multiple of 16?
  template <Hashed Hash>
  static Kernel kernel_for(const CounterKey& key, bool in_rows, uint64_t messages, uint64_t bytes) {
    const LaunchPolicy& on = key.target.shape.policy;
    const HybridSplit& split = kernels::grid::hybrid_split<Hash>(on);
    if (messages == 1 && split.threads != 0 && bytes / (16 * kGroupBlocks) >= split.from_groups) {
      return in_rows ? Kernel::hybrid : Kernel::shifted_hybrid;
    }
    return in_rows ? Kernel::tables : Kernel::shifted;
  }

  static void describe(CounterArguments& arguments, const CounterKey& key, CounterBlock first,
                       const CounterPlan& plan) {
    uint8_t block[16];
    store_counter(block, first);
    arguments.keys = key.keys;
    arguments.initial = load_bytes(block, sizeof block);
    plan.describe(arguments);
  }

  static void describe(GcmArguments& arguments, const Batch& batch) {
    arguments.input = batch.input;
    arguments.output = batch.output;
    arguments.bytes = batch.bytes;
    arguments.messages = static_cast<uint32_t>(batch.messages);
    arguments.input_stride = batch.input_stride;
    arguments.output_stride = batch.output_stride;
    arguments.nonces = batch.host_nonce != nullptr ? nullptr : batch.nonces;
    arguments.nonce_stride = batch.nonce_stride;
    arguments.aad = batch.aad;
    arguments.aad_bytes = batch.aad_bytes;
    arguments.aad_stride = batch.aad_stride;
    arguments.tags = batch.tags;
    arguments.tag_stride = batch.tag_stride;
    arguments.tag_bytes = static_cast<uint32_t>(batch.tag_bytes);
    arguments.statuses = batch.statuses;
  }
};

}  // namespace warpaes::core
