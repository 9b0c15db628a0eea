// The frame of the kernels in which a team of lanes works on a message: everything but the mode.
//
//     lanes        0 … 7     8 … 15    16 … 23   24 … 31      a warp with teams of 8
//     turn 0     | m0      | m40     | m80     | m120    |    messages of one task, `tasks` apart
//     turn 1     | m160    | m200    | …                      ragged batches: the longest first
//
//     message    | row 0: a block for each lane | row 1 | row 2 | row 3 |   a group of four rows
//
// A warp takes a task, up to 32 messages, at once. Where each message needs one block of the cipher, each
// lane can then do that for one message. After that, the warp's teams take the messages in turns, each from
// its first bytes to its last; so nothing has to be collected afterwards, and no workspace is needed.
#pragma once

#include "kernels/team/message_teams.hpp"

namespace warpaes::core {

/// A team's message. If it is refused, or there is none, the team still takes part in what lanes exchange.
struct TeamMessage {
  bool present;  // is there such a message, and is it one of this launch?
  uint32_t index;
  BatchedMessage message;
  bool accepted;

  /// @param from its number among the messages of the task
  template <class Batch>
  WARPAES_HOST_DEVICE TeamMessage(const Batch& batch, uint32_t task, uint32_t from)
      : present(is_in_batch(batch, task, from)),
        index(present ? message_of_task(batch.distribution, task, from) : 0),
        message(batch, index),
        accepted(present && message.refused == WARPAES_OK) {}
};

/// A lane's view of the team that it belongs to.
template <class Thread, class Batch>
class Team {
 public:
  WARPAES_HOST_DEVICE Team(Thread& thread, const Batch& batch) : thread_(thread), batch_(batch) {}

  WARPAES_HOST_DEVICE uint32_t lanes() const { return batch_.distribution.lanes; }
  WARPAES_HOST_DEVICE uint32_t lane() const { return thread_.lane() & (lanes() - 1); }
  /// Is this the lane that does what one lane does for its team?
  WARPAES_HOST_DEVICE bool leads() const { return lane() == 0; }
  /// The team's first lane, as a lane of the warp.
  WARPAES_HOST_DEVICE uint32_t first_lane() const { return thread_.lane() - lane(); }

  WARPAES_HOST_DEVICE bool is_last() const { return lane() == lanes() - 1; }

  /// What the team's lane `distance` before this one gives, where the team's last lane is before its first.
  /// All lanes of the warp call: a shuffle among fewer lanes has to find out first which of them are there.
  WARPAES_HOST_DEVICE Columns from_lane_before(Columns v, uint32_t distance) const {
    return from_lane(v, first_lane() + ((lane() - distance) & (lanes() - 1)));
  }

  /// The sum over the team's lanes, in all of them.
  WARPAES_HOST_DEVICE Gf128 sum(Gf128 share) const { return sum_of_team(thread_, lanes(), share); }
  WARPAES_HOST_DEVICE Columns sum(Columns share) const {
    return little_endian_block(sum(little_endian_words(share)));
  }

  WARPAES_HOST_DEVICE Columns from_lane(Columns v, uint32_t lane) const {
    return {thread_.shuffle(v.a, lane), thread_.shuffle(v.b, lane), thread_.shuffle(v.c, lane),
            thread_.shuffle(v.d, lane)};
  }

  /// In lane r, the number of the message that is taken r-th among those of the task.
  WARPAES_HOST_DEVICE uint32_t order(uint32_t task) const {
    return batch_.lengths != nullptr ? longest_first(thread_, batch_, task) : thread_.lane();
  }

  /// Lets the warp's teams take a task's messages in turns.
  /// @param take (uint32_t from), where `from` is the number of the team's message in the task; all lanes
  ///        call it
  template <class Take>
  WARPAES_HOST_DEVICE void in_turns(uint32_t order, const Take& take) const {
    const uint32_t teams = batch_.distribution.teams, team = thread_.lane() * teams / kWarpLanes;
    WARPAES_KEEP_ROLLED
    for (uint32_t taken = 0; taken < batch_.distribution.per_task; taken += teams) {
      take(static_cast<uint32_t>(thread_.shuffle(order, taken + team)));
    }
  }

  /// The same where each message has a key of its own: keys are prepared for `Slots` messages at a time.
  /// @param prepare (uint32_t from), where `from` is the number in the task of the message whose key this
  ///        lane prepares, lane l for slot l % Slots. Slots that are not needed may get any message's
  /// @param take (uint32_t from, uint32_t slot), where `slot` has the key of the team's message
  template <uint32_t Slots, class Prepare, class Take>
  WARPAES_HOST_DEVICE void in_turns_with_keys(uint32_t order, const Prepare& prepare,
                                              const Take& take) const {
    const uint32_t teams = batch_.distribution.teams, team = thread_.lane() * teams / kWarpLanes;
    WARPAES_KEEP_ROLLED
    for (uint32_t taken = 0; taken < batch_.distribution.per_task; taken += teams) {
      if (taken % Slots == 0) {
        const uint32_t turn = taken + thread_.lane() % Slots;
        prepare(static_cast<uint32_t>(thread_.shuffle(order, turn % kWarpLanes)));
      }
      take(static_cast<uint32_t>(thread_.shuffle(order, taken + team)), (taken + team) % Slots);
    }
  }

  /// The number in the batch of message number `from` of a task; of a message that does not exist, 0.
  WARPAES_HOST_DEVICE uint32_t index_of(uint32_t task, uint32_t from) const {
    return is_in_batch(batch_, task, from) ? message_of_task(batch_.distribution, task, from) : 0;
  }

  /// Stores the tag, or compares it and zeroes the output if it is wrong.
  template <Ciphertext Side>
  WARPAES_HOST_DEVICE void finish(const TeamMessage& own, Columns tag) const {
    int32_t status = own.message.refused;
    if (own.present && leads()) status = finish_message<Side>(batch_, own.index, tag, status);
    if constexpr (Side == Ciphertext::input) {
      status = static_cast<int32_t>(thread_.shuffle(static_cast<uint32_t>(status), first_lane()));
      thread_.sync_warp();  // stores of other lanes come before the zeros
      if (own.accepted && status != WARPAES_OK) wipe_output(own.message, lanes(), lane());
    }
  }

 private:
  Thread& thread_;
  const Batch& batch_;
};

/// Lets this warp take one task after the other. Neighbouring tasks go to different thread blocks, so that a
/// small number of them still uses many multiprocessors.
/// @param run (uint32_t task)
/// @param next (uint32_t task, uint32_t warps) -> uint32_t: the warp's task after this one; `warps` is how
///        many the grid has, each of which begins with one of the first tasks
template <class Thread, class Run, class Next>
WARPAES_HOST_DEVICE void for_each_task_by(Thread& thread, const WorkDistribution& distribution, Run& run,
                                          const Next& next) {
  const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
  const uint32_t first = thread.warp() * thread.block_count() + thread.block();
  for (uint32_t task = first; task < distribution.tasks; task = next(task, warps)) run(task);
}

/// The same with tasks that are dealt out beforehand.
template <class Thread, class Run>
WARPAES_HOST_DEVICE void for_each_task(Thread& thread, const WorkDistribution& distribution, Run& run) {
  for_each_task_by(thread, distribution, run, [](uint32_t task, uint32_t warps) { return task + warps; });
}

/// The same for tasks of which some may be longer than others: a warp that has finished one takes the next
/// that nobody has. They go to the warps in the order of the batch, as those that are dealt out do.
/// @param claimed how many tasks have been taken besides each warp's first: 0 when the kernel starts; or null
///        if tasks are dealt out beforehand
template <class Thread, class Run>
WARPAES_HOST_DEVICE void for_each_task(Thread& thread, const WorkDistribution& distribution, Run& run,
                                       uint32_t* claimed) {
  for_each_task_by(thread, distribution, run, [&thread, claimed](uint32_t task, uint32_t warps) {
    return claimed == nullptr ? task + warps : warps + thread.claim(claimed);
  });
}

/// What a warp keeps of keys of single messages.
template <class Key, uint32_t Slots>
struct WarpKeys {
  Key message[Slots];
};

/// The place for this warp's keys, in shared memory behind the first `before` bytes.
template <class Keys, class Thread>
WARPAES_HOST_DEVICE Keys& keys_of_warp(Thread& thread, uint32_t before) {
  return reinterpret_cast<Keys*>(thread.shared() + before)[thread.index() / kWarpLanes];
}

/// Zeroes a warp's keys when no lane uses them any more. All lanes of the warp call.
template <class Keys, class Thread>
WARPAES_HOST_DEVICE void wipe_keys(Thread& thread, Keys& keys) {
  thread.sync_warp();
  volatile uint32_t* const words = reinterpret_cast<uint32_t*>(&keys);  // as nothing reads them any more
  for (uint32_t i = thread.lane(); i < sizeof keys / sizeof(uint32_t); i += kWarpLanes) words[i] = 0;
}

/// Fills the tables of the cipher. The lane's place in them is counted from where the address space of shared
/// memory begins, which makes one addition for all look-ups instead of one for each.
template <int Tables, class Thread>
WARPAES_HOST_DEVICE LanePrivateTables<Tables> filled_tables(Thread& thread) {
  LanePrivateTables<Tables>::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
  end_fill(thread);
  return {thread.shared_origin(), thread.shared_offset() / 4 + thread.lane()};
}

}  // namespace warpaes::core
