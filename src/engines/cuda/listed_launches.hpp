// GCM of long messages that arrays describe, as launches of grid/listed_gcm.hpp.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/grid/listed_gcm.hpp"

namespace warpaes::core {

/// Messages of a list that are longer than this are shared by all multiprocessors, as those of a regular
/// batch are. One thread block looks at all lengths, so there are not too many of them.
constexpr uint64_t kListedFrom = kTeamBytes, kMostListed = 16384;

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class ListedLaunches {
 public:
  /// May the batch have messages for these kernels?
  static bool takes(const Batch& batch) {
    return !is_regular(batch) && batch.bytes > kListedFrom && batch.bytes <= kLongestRagged &&
           batch.messages <= kMostListed;
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
    const Layout layout(batch.messages);
    auto* const memory = static_cast<uint8_t*>(workspace);
    WipedArguments<ListedGcmArguments> arguments{};
    ListedMessages& listed = arguments;
    static_cast<MessageBatch&>(listed) = described(batch);
    listed.longer_than = kListedFrom;
    listed.ends = reinterpret_cast<uint64_t*>(memory + layout.ends);
    listed.arrivals = reinterpret_cast<uint32_t*>(memory + layout.arrivals);
    arguments.sums = reinterpret_cast<Gf128*>(memory);
    arguments.keys = key.schedule.encryption();
    arguments.powers = key.powers;
    Gpu::run(kernels::grid::PlanListedMessages{}, key.target(), listed, {1}, stream);
    const kernels::GridSize size{static_cast<uint32_t>(key.shape.multiprocessors)};
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
      Gpu::run(kernels::grid::ListedGcm<Hashed::output>{}, key.target(), arguments, size, stream);
    } else {
      Gpu::run(kernels::grid::ListedGcm<Hashed::input>{}, key.target(), arguments, size, stream);
    }
  }

 private:
  /// Offsets in the workspace, which begins with the sums: one for each warp, and for each message as many as
  /// warps share a run.
  struct Layout {
    uint64_t ends, arrivals, end;
    explicit Layout(uint64_t messages) {
      constexpr uint64_t kShares = kGroupBlocks / kWarpLanes / kBlocksAlone;
      ends = (kMostWarps + kShares * messages) * sizeof(Gf128);
      arrivals = ends + messages * sizeof(uint64_t);
      end = (arrivals + messages * sizeof(uint32_t) + 15) / 16 * 16;
    }
  };
};

}  // namespace warpaes::core
