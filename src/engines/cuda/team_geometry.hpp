// How a batch's messages are distributed to teams of lanes.
#pragma once

#include <algorithm>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/kernel.hpp"
#include "kernels/team/message_teams.hpp"

namespace warpaes::core {

/// The longest message of a ragged batch, as a team counts its blocks in 31 bits.
constexpr uint64_t kLongestRagged = (uint64_t{1} << 35) - 16;

/// Messages of at most this length are worked on by teams of 8 or 16 lanes if there are many of them, and
/// longer ones by whole warps.
constexpr uint64_t kSmallTeamBytes = 8192;
/// In ragged batches that have longer messages than kSmallTeamBytes, and many messages, those of at most this
/// length have a launch of their own, with small teams. For longer ones whole warps are better, as small
/// teams whose messages differ in length wait for each other.
constexpr uint64_t kShortBytes = 1024;
/// How many messages for each warp are many: with fewer, a launch costs more than whole warps lose on short
/// messages.
constexpr uint64_t kManyForWarp = 16;
/// In batches of messages of one length, messages of at most this length are worked on by one team or warp,
/// and longer ones shared by many warps.
constexpr uint64_t kTeamBytes = 65536, kTeamAadBytes = 1024;

inline uint64_t warps_of(const kernels::DeviceShape& shape, uint32_t threads) {
  return static_cast<uint64_t>(shape.multiprocessors) * threads / kWarpLanes;
}

/// How many lanes work on a message, and how many thread blocks there are.
struct TeamGeometry {
  WorkDistribution distribution;
  uint32_t blocks;

  /// @param policy the kernel's
  /// @param most_bytes the length of the longest message of this launch
  TeamGeometry(const kernels::DeviceShape& shape, const kernels::KernelPolicy& policy, const Batch& batch,
               uint64_t shortest, uint64_t most_bytes) {
    const uint64_t warps = warps_of(shape, policy.threads), cipher_blocks = most_bytes / 16 + 1;
    // Teams are as large as their messages have work for, or smaller if there are so many messages that they
    // fill the GPU anyway.
    uint32_t lanes = most_bytes > kSmallTeamBytes ? kWarpLanes : kSmallestTeam;
    while (lanes < kWarpLanes && cipher_blocks >= 8 * lanes && batch.messages * lanes < warps * kWarpLanes) {
      lanes *= 2;
    }
    const uint32_t teams = kWarpLanes / lanes;
    distribution = {lanes, teams, 0, 0, shortest, most_bytes};
    uint64_t least = UINT64_MAX;
    for (uint32_t per_task = teams; per_task <= kWarpLanes; per_task += teams) {
      const uint64_t tasks = (batch.messages - 1) / per_task + 1;
      // The cost of the warp that has most to do, in blocks. What messages need besides their data is one
      // call of the cipher by all of the warp's lanes, for up to 32 messages together, or for those of all
      // its slots.
      const uint64_t together = policy.slots != 0 ? policy.slots : kWarpLanes;
      const uint64_t calls = (per_task - 1) / together + 1;
      const uint64_t cost = ((tasks - 1) / warps + 1) * (calls * kWarpLanes + per_task * cipher_blocks);
      if (cost >= least) continue;
      least = cost;
      distribution.per_task = per_task;
      // The messages that a warp's teams work on at the same time are `tasks` apart. If that is a power of
      // two, their addresses differ in high bits only and compete for the same places of the caches.
      distribution.tasks = static_cast<uint32_t>(tasks % warps == 0 ? tasks : tasks | 1);
    }
    blocks = static_cast<uint32_t>(std::min<uint64_t>(shape.multiprocessors, distribution.tasks));
  }

  /// Makes each message a task, for warps that take one whenever they have finished one: of messages that
  /// differ in length, some warps would get much more than others if they were dealt out beforehand.
  /// @return false: that is not worth it, and nothing is changed
  bool separate(const Batch& batch, uint64_t warps) {
    if (batch.lengths == nullptr || distribution.teams != 1 || batch.messages <= warps) return false;
    distribution.per_task = 1;
    distribution.tasks = static_cast<uint32_t>(batch.messages);
    return true;
  }
};

/// Calls launch(TeamGeometry) for all messages of a batch: once, or twice if it is ragged and may have many
/// short messages, which then have a launch of their own.
/// @param policy the kernel's
/// @param most longer messages are left alone, by whatever launch they belong to; UINT64_MAX: they are
///        refused, as the batch says that it has none
template <class Launch>
void for_each_geometry(const kernels::DeviceShape& shape, const kernels::KernelPolicy& policy,
                       const Batch& batch, const Launch& launch, uint64_t most = UINT64_MAX) {
  if (batch.bytes > kLongestRagged) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "a message of a ragged batch, or of one with a key each, is at most 2^35 - 16 bytes");
  }
  const bool both = batch.lengths != nullptr && batch.bytes > kSmallTeamBytes &&
                    batch.messages > kManyForWarp * warps_of(shape, policy.threads);
  if (both) launch(TeamGeometry(shape, policy, batch, 0, kShortBytes));
  TeamGeometry last(shape, policy, batch, both ? kShortBytes + 1 : 0, std::min(batch.bytes, most));
  last.distribution.longest = most;  // messages that are too long are refused in the last launch
  launch(last);
}

}  // namespace warpaes::core
