// How a batch's messages are dealt out to teams of lanes.
#pragma once

#include <algorithm>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/kernel.hpp"
#include "kernels/team/message_teams.hpp"

namespace warpaes::core {

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
  WorkDistribution distribution;
  uint32_t blocks;

  /// @param most_bytes of a message of this launch
  TeamGeometry(const kernels::DeviceShape& shape, uint32_t threads, const Batch& batch, uint64_t shortest,
               uint64_t most_bytes) {
    const uint64_t warps = warps_of(shape, threads), cipher_blocks = most_bytes / 16 + 1;
    // Teams as large as their messages have work for, unless so many messages fill the machine anyway.
    uint32_t lanes = most_bytes > kSmallTeamBytes ? kWarpLanes : kSmallestTeam;
    while (lanes < kWarpLanes && cipher_blocks >= 8 * lanes && batch.messages * lanes < warps * kWarpLanes) {
      lanes *= 2;
    }
    const uint32_t teams = kWarpLanes / lanes;
    distribution = {lanes, teams, 0, 0, shortest, most_bytes};
    uint64_t least = UINT64_MAX;
    for (uint32_t per_task = teams; per_task <= kWarpLanes; per_task += teams) {
      const uint64_t tasks = (batch.messages - 1) / per_task + 1;
      // Of the warp that has most to do, in calls of the cipher for all of its lanes: a task begins with one
      // for up to 32 messages together.
      const uint64_t cost = ((tasks - 1) / warps + 1) * (kWarpLanes + per_task * cipher_blocks);
      if (cost >= least) continue;
      least = cost;
      distribution.per_task = per_task;
      distribution.tasks = static_cast<uint32_t>(tasks);
    }
    blocks = static_cast<uint32_t>(std::min<uint64_t>(shape.multiprocessors, distribution.tasks));
  }
};

/// Long messages among ragged ones have a launch of their own.
template <class Launch>
void for_each_geometry(const kernels::DeviceShape& shape, uint32_t threads, const Batch& batch,
                       const Launch& launch) {
  if (batch.bytes > kLongestRagged) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "a message of a ragged batch, or of one with a key each, is at most 2^35 - 16 bytes");
  }
  const bool both = batch.lengths != nullptr && batch.bytes > kSmallTeamBytes;
  if (both) launch(TeamGeometry(shape, threads, batch, 0, kSmallTeamBytes));
  TeamGeometry last(shape, threads, batch, both ? kSmallTeamBytes + 1 : 0, batch.bytes);
  last.distribution.longest = UINT64_MAX;  // those that are too long are refused there
  launch(last);
}

}  // namespace warpaes::core
