// GCM of long messages that arrays describe, as launches of grid/listed_gcm.hpp.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/grid/listed_hybrid_gcm.hpp"

namespace warpaes::core {

/// Messages of a batch that are longer than this are shared by all multiprocessors as if they were one. One
/// thread block looks at all lengths, so there are not too many of them.
constexpr uint64_t kListedFrom = kTeamBytes, kMostListed = 16384;

/// Warps on bit planes gain when messages are as long as this: each end of a message costs them more than it
/// costs warps that look up tables.
constexpr uint64_t kListedHybridFrom = 512 * 1024;

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class ListedLaunches {
 public:
  /// May the batch have messages for these kernels? Those at any address have kernels of their own if they
  /// are regular (grid/shifted_ctr_gcm.hpp).
  static bool takes(const LaunchPolicy& on, const Batch& batch) {
    if (batch.bytes <= kListedFrom || batch.bytes > kLongestRagged || batch.messages > kMostListed)
      return false;
    if (!is_regular(batch)) return true;
    return is_in_rows(batch) && batch.aad_bytes <= kTeamAadBytes && batch.messages > 1 &&
           most_groups(batch) >= on.listed_from_groups;
  }

  static size_t workspace_bytes(uint64_t messages, uint64_t bytes) {
    return bytes > kListedFrom ? Layout(std::min(messages, kMostListed)).end : 0;
  }

  /// A place in the workspace that an earlier kernel may use for a counter, since gcm() zeroes it before its
  /// own kernels use it.
  static uint32_t* free_counter(const Batch& batch, void* workspace) {
    return reinterpret_cast<uint32_t*>(static_cast<uint8_t*>(workspace) + Layout(batch.messages).arrivals);
  }

  /// Encrypts or decrypts the messages that are longer than kListedFrom, and refuses those that are too long.
  static void gcm(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
      gcm<Hashed::output>(key, batch, workspace, stream);
    } else {
      gcm<Hashed::input>(key, batch, workspace, stream);
    }
  }

 private:
  static uint64_t most_groups(const Batch& batch) {
    return batch.messages * batch.bytes / (16 * kGroupBlocks);
  }

  template <Hashed Hash>
  static void gcm(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    // The host may not know the lengths. Where there cannot be enough for a hybrid kernel, it is not asked.
    const HybridSplit& split = kernels::grid::hybrid_split<Hash>(key.shape.policy);
    if (split.threads != 0 && batch.bytes >= kListedHybridFrom && most_groups(batch) >= split.from_groups) {
      launch(kernels::grid::ListedHybridGcm<Hash>{}, key, batch, workspace, stream);
    } else {
      launch(kernels::grid::ListedGcm<Hash>{}, key, batch, workspace, stream);
    }
  }

  template <class Kernel>
  static void launch(Kernel kernel, const LanePrivateKey& key, const Batch& batch, void* workspace,
                     Stream stream) {
    WipedArguments<ListedHybridArguments> arguments{};
    describe(arguments, batch, workspace);
    arguments.keys = key.schedule.encryption();
    arguments.powers = key.powers;
    arguments.sliced_keys = key.sliced;
    const kernels::grid::CounterWarps warps = Kernel::warps(key.shape.policy, key.schedule.rounds());
    const auto multiprocessors = static_cast<uint32_t>(key.shape.multiprocessors);
    arguments.shares = kGroupBlocks / kWarpLanes / warps.blocks_a_thread;
    arguments.table_slots = multiprocessors * static_cast<uint32_t>(warps.tables) / arguments.shares;
    arguments.sliced_slots = multiprocessors * static_cast<uint32_t>(warps.sliced);
    arguments.sliced_permille = static_cast<uint32_t>(warps.sliced_permille);
    arguments.sliced_from = key.shape.policy.gcm_hybrid.from_groups;
    Gpu::run(kernels::grid::PlanListedMessages{}, key.target(), arguments, {1}, stream);
    Gpu::run(kernel, key.target(), arguments, {multiprocessors}, stream);
  }

  static void describe(ListedMessages& listed, const Batch& batch, void* workspace) {
    const Layout layout(batch.messages);
    auto* const memory = static_cast<uint8_t*>(workspace);
    static_cast<MessageBatch&>(listed) = described(batch);
    listed.longer_than = kListedFrom;
    listed.sums = reinterpret_cast<Gf128*>(memory);
    listed.plan = reinterpret_cast<ListedPlan*>(memory + layout.plan);
    listed.ends = reinterpret_cast<uint64_t*>(memory + layout.ends);
    listed.arrivals = reinterpret_cast<uint32_t*>(memory + layout.arrivals);
  }

  /// Offsets in the workspace, which begins with the sums: one for each warp, and for each message as many as
  /// warps share a run.
  struct Layout {
    uint64_t plan, ends, arrivals, end;
    explicit Layout(uint64_t messages) {
      constexpr uint64_t kMostShares = kGroupBlocks / kWarpLanes / kBlocksHybrid;
      plan = (kMostWarps + kMostShares * messages) * sizeof(Gf128);
      ends = plan + sizeof(ListedPlan);
      arrivals = ends + messages * sizeof(uint64_t);
      end = (arrivals + messages * sizeof(uint32_t) + 15) / 16 * 16;
    }
  };
};

}  // namespace warpaes::core
