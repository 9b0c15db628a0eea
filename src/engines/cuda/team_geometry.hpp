// How a batch's messages are dealt out to teams of lanes.
#pragma once

#include <algorithm>
#include <cmath>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/kernels.hpp"

namespace warpaes {

/// Longest message of a ragged batch: a team counts its blocks in 31 bits.
constexpr uint64_t kLongestRagged = (uint64_t{1} << 35) - 16;

/// Messages up to here are worked on by teams of 8 or 16 lanes if there are many, above by whole warps.
constexpr uint64_t kSmallTeamBytes = 8192;
/// Messages of one length up to here are a team's or a warp's each; longer ones are shared by warps.
constexpr uint64_t kTeamBytes = 65536, kTeamAadBytes = 1024;

inline uint64_t warps_of(const kernels::DeviceShape& shape, uint32_t threads) {
  return static_cast<uint64_t>(shape.multiprocessors) * threads / kWarpLanes;
}

/// How many lanes a message gets, and how many thread blocks there are.
struct TeamGeometry {
  TeamDeal deal;
  uint32_t blocks;

  /// @param most_bytes of a message of this launch
  TeamGeometry(const kernels::DeviceShape& shape, uint32_t threads, const AeadBatch& batch, uint64_t shortest,
               uint64_t most_bytes) {
    const uint64_t warps = warps_of(shape, threads), cipher_blocks = most_bytes / 16 + 1;
    // Teams as large as their messages have work for, unless so many messages fill the machine anyway.
    uint32_t lanes = most_bytes > kSmallTeamBytes ? kWarpLanes : kSmallestTeam;
    while (lanes < kWarpLanes && cipher_blocks >= 8 * lanes && batch.messages * lanes < warps * kWarpLanes) {
      lanes *= 2;
    }
    // A warp's first pass is for 32 messages at most: a share of 32 / (per_task * cipher_blocks) of its
    // work. The more tasks there are, the shorter the time when only some warps still have one: about
    // half a task of messages / (per_task * warps). The sum is least at:
    const double best = std::sqrt(64.0 * static_cast<double>(batch.messages) /
                                  (static_cast<double>(cipher_blocks) * static_cast<double>(warps)));
    const uint32_t teams = kWarpLanes / lanes;
    uint32_t per_task = teams;
    while (per_task < kWarpLanes && 1.5 * per_task < best) per_task *= 2;
    deal = {lanes, teams, per_task, shortest, most_bytes};
    const uint64_t tasks = (batch.messages - 1) / per_task + 1;
    blocks = static_cast<uint32_t>(std::min<uint64_t>(shape.multiprocessors, tasks));
  }
};

/// Long messages among ragged ones have a launch of their own.
template <class Launch>
void for_each_geometry(const kernels::DeviceShape& shape, uint32_t threads, const AeadBatch& batch,
                       const Launch& launch) {
  if (batch.bytes > kLongestRagged) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "a message of a ragged batch, or of one with a key each, is at most 2^35 - 16 bytes");
  }
  const bool both = batch.lengths != nullptr && batch.bytes > kSmallTeamBytes;
  if (both) launch(TeamGeometry(shape, threads, batch, 0, kSmallTeamBytes));
  TeamGeometry last(shape, threads, batch, both ? kSmallTeamBytes + 1 : 0, batch.bytes);
  last.deal.longest = UINT64_MAX;  // those that are too long are refused there
  launch(last);
}

}  // namespace warpaes
