// How the messages of a batch are distributed to teams of lanes.
#pragma once

#include "kernels/team/team_key.hpp"
#include "kernels/warp/batched_message.hpp"

namespace warpaes::core {

/// How messages are distributed to teams. The messages of a task are `tasks` apart, so that the messages on
/// which many warps work at the same time lie together.
struct WorkDistribution {
  uint32_t lanes;     // how many lanes a team has: 8, 16 or 32
  uint32_t teams;     // how many teams a warp has
  uint32_t per_task;  // messages that a warp takes at once: a multiple of its teams, at most 32
  uint32_t tasks;     // so many that all tasks together have at least as many messages as the batch
  /// Messages of other lengths are left to another launch.
  uint64_t shortest, longest;
};

/// A batch with a key for each message, which the team that has the message expands.
struct PerMessageKeysBatch : MessageBatch {
  WorkDistribution distribution;
  const uint8_t* keys;  // 4 * (rounds - 6) bytes each
  uint64_t key_stride;
  const uint8_t* const* keys_at;  // instead of `keys`; or null

  /// The message's key. If it is null, the message is refused.
  WARPAES_HOST_DEVICE const uint8_t* key(uint32_t index) const {
    return keys_at != nullptr ? keys_at[index] : keys + index * key_stride;
  }
  WARPAES_HOST_DEVICE bool has_key(uint32_t index) const { return key(index) != nullptr; }
};

/// The number in the batch of message number `at` of a task.
WARPAES_HOST_DEVICE uint32_t message_of_task(const WorkDistribution& distribution, uint32_t task,
                                             uint32_t at) {
  return task + at * distribution.tasks;
}

/// Does message number `at` of a task exist, and is it one of this launch?
/// @tparam Batch a MessageBatch with a `distribution`
template <class Batch>
WARPAES_HOST_DEVICE bool is_in_batch(const Batch& batch, uint32_t task, uint32_t at) {
  const uint32_t index = message_of_task(batch.distribution, task, at);
  if (at >= batch.distribution.per_task || index >= batch.messages) return false;
  if (batch.lengths == nullptr) return true;
  return batch.lengths[index] >= batch.distribution.shortest &&
         batch.lengths[index] <= batch.distribution.longest;
}

/// A message as groups of four rows, each row a block for every lane of a team. It is right-aligned: its last
/// block is the last of its last group, and if it does not fill its groups, the first rows of the first one
/// are empty.
///
/// Blocks are numbered modulo 2^32, so that numbers before the message's first block are negative as int32_t:
/// a message has at most 2^31 - 1 blocks. Nothing here overflows: a loop may step beyond the last block.
struct TeamGroups {
  uint32_t groups;
  uint32_t first;  // number of the first group's first block: 0, or negative

  WARPAES_HOST_DEVICE constexpr TeamGroups(uint64_t bytes, uint32_t lanes) : groups(0), first(0) {
    const uint32_t blocks = static_cast<uint32_t>((bytes + 15) / 16), of_group = 4 * lanes;
    const uint32_t tail = blocks & (of_group - 1);  // the number of lanes is a power of two
    groups = blocks / of_group + (tail != 0 ? 1 : 0);
    if (tail != 0) first = tail - of_group;
  }

  WARPAES_HOST_DEVICE constexpr bool is_full() const { return first == 0; }
  WARPAES_HOST_DEVICE static constexpr bool is_before_message(uint32_t block) {
    return static_cast<int32_t>(block) < 0;
  }
  /// The number of the block right before the message's first, in whose place the hash of what comes before
  /// the message stands.
  static constexpr uint32_t kBefore = ~0u;
};

/// Gives lane r the number of the r-th longest message of the task, by a bitonic sort.
template <class Thread, class Batch>
WARPAES_HOST_DEVICE uint32_t longest_first(Thread& thread, const Batch& batch, uint32_t task) {
  const uint32_t lane = thread.lane();
  uint64_t sorted = lane;
  if (is_in_batch(batch, task, lane)) {
    const uint64_t bytes = batch.lengths[message_of_task(batch.distribution, task, lane)];
    const uint64_t rows = (bytes + 15) / 16 / batch.distribution.lanes;
    sorted |= (rows + 1) << 5;
  }
  for (uint32_t size = 2; size <= kWarpLanes; size *= 2) {
    for (uint32_t stride = size / 2; stride > 0; stride /= 2) {
      const uint64_t other = thread.shuffle_xor(sorted, stride);
      const bool keep_larger = ((lane & size) == 0) == ((lane & stride) == 0);
      if ((other > sorted) == keep_larger) sorted = other;
    }
  }
  return static_cast<uint32_t>(sorted) & (kWarpLanes - 1);
}

/// The sum over a team of `lanes` lanes, in all of them.
template <class Thread>
WARPAES_HOST_DEVICE Gf128 sum_of_team(Thread& thread, uint32_t lanes, Gf128 value) {
  WARPAES_KEEP_ROLLED
  for (uint32_t mask = 1; mask < lanes; mask *= 2) {
    value.lo ^= thread.shuffle_xor(value.lo, mask);
    value.hi ^= thread.shuffle_xor(value.hi, mask);
  }
  return value;
}

}  // namespace warpaes::core
