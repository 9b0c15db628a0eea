// GCM of messages that arrays describe: their addresses and lengths lie in device memory, where the host
// cannot see them. All multiprocessors share all of these messages, whatever the lengths are, as if they
// were one: so a list of tensors takes as long as a message of their sum.
//
//     groups      | message 0 | message 3           | message 4 | message 7    …  |
//     slots       | slot 0     | slot 1     | slot 2     | slot 3     | …         |
//
// Two launches. The first one, a single thread block, counts the groups of 256 blocks (ctr_gcm_arguments.hpp)
// of each message and adds them up. In the second, each slot, which is the warps that share a run in
// grid/ctr_gcm.hpp, has as many consecutive groups as any other, and finds by bisection whose they are. Where
// a message ends within a slot, the slot hands in the message's sum and goes on with the next one. The warp
// that is the last of a message makes its tag, or compares it and wipes the output if it is wrong.
//
// Messages of at most `longer_than` bytes have no groups; teams work on them (team/gcm.hpp).
//
// Limits. As grid/ctr_gcm.hpp. A slot's end inside a message costs the sum of the lanes' shares and a
// multiplication by a power of H; a slot's beginning a bisection. Timing class: conflict-free.
#pragma once

#include "kernels/grid/ctr_gcm.hpp"
#include "kernels/team/message_teams.hpp"

namespace warpaes::core {

template <class Number>
WARPAES_HOST_DEVICE constexpr Number smaller_of(Number a, Number b) {
  return a < b ? a : b;
}

/// The messages, and what the first launch finds out about them.
struct ListedMessages : MessageBatch {
  uint64_t longer_than;
  uint64_t* ends;      // of each message: how many groups it has together with all messages before it
  uint32_t* arrivals;  // one for each message
};

struct ListedGcmArguments : ListedMessages {
  RoundKeys keys;
  Gf128* sums;  // for each slot and each message as many as warps share a run
  GhashPowers powers;
};

/// How many groups a message has, which is none if a team works on it, or if it is refused; that is reported.
WARPAES_HOST_DEVICE uint64_t planned_groups(const ListedMessages& listed, uint32_t index) {
  const BatchedMessage message(listed, index);
  if (message.bytes <= listed.longer_than) return 0;
  if (message.refused != WARPAES_OK) {
    listed.statuses[index] = message.refused;
    return 0;
  }
  // The first block's counter is 2, which is its position in the first group.
  return (block_count(message.bytes) + 2 + kGroupBlocks - 1) / kGroupBlocks;
}

/// The sum of what this thread and all threads before it of the thread block have given, in as many steps as
/// the number of threads has bits: after each, a thread has the sum of twice as many.
template <class Thread>
WARPAES_HOST_DEVICE uint64_t sum_up_to_here(Thread& thread, uint64_t own) {
  auto* const sums = reinterpret_cast<uint64_t*>(thread.shared());
  WARPAES_KEEP_ROLLED
  for (uint32_t distance = 1; distance < thread.count(); distance *= 2) {
    sums[thread.index()] = own;
    thread.barrier();
    if (thread.index() >= distance) own += sums[thread.index() - distance];
    thread.barrier();
  }
  return own;
}

/// Counts the groups of long messages, and reports those that are refused.
/// @param thread one of the grid's only thread block, which has 8 bytes of shared memory for each thread
template <class Thread>
WARPAES_HOST_DEVICE void plan_listed_messages(Thread& thread, const ListedMessages& listed) {
  const uint32_t share = (listed.messages + thread.count() - 1) / thread.count();
  const uint32_t first = smaller_of(share * thread.index(), listed.messages),
                 end = smaller_of(first + share, listed.messages);
  uint64_t groups = 0;
  WARPAES_KEEP_ROLLED
  for (uint32_t index = first; index < end; index++) {
    listed.ends[index] = groups += planned_groups(listed, index);
    listed.arrivals[index] = 0;
  }
  const uint64_t before = sum_up_to_here(thread, groups) - groups;
  WARPAES_KEEP_ROLLED
  for (uint32_t index = first; index < end; index++) listed.ends[index] += before;
}

/// The slot of a warp: as many consecutive groups as every other slot has.
template <class Thread>
struct ListedSlot {
  static constexpr uint32_t kShares = kGroupBlocks / kWarpLanes / kBlocksAlone;

  Thread& thread;
  const ListedMessages& listed;

  WARPAES_HOST_DEVICE uint32_t task() const { return thread.warp() * thread.block_count() + thread.block(); }
  WARPAES_HOST_DEVICE uint64_t number() const { return task() / kShares; }
  WARPAES_HOST_DEVICE uint64_t all_groups() const { return listed.ends[listed.messages - 1]; }
  WARPAES_HOST_DEVICE uint64_t groups() const {
    const uint64_t slots = thread.block_count() * (thread.count() / kWarpLanes) / kShares;
    return (all_groups() + slots - 1) / slots;
  }
  WARPAES_HOST_DEVICE uint64_t begin() const { return number() * groups(); }
  WARPAES_HOST_DEVICE uint64_t end() const { return smaller_of(begin() + groups(), all_groups()); }

  /// The first group of a message, and the one behind its last.
  WARPAES_HOST_DEVICE uint64_t begin_of(uint32_t message) const {
    return message == 0 ? 0 : listed.ends[message - 1];
  }
  WARPAES_HOST_DEVICE uint64_t end_of(uint32_t message) const { return listed.ends[message]; }

  /// The message that has the group: the first that ends behind it.
  WARPAES_HOST_DEVICE uint32_t message_at(uint64_t group) const {
    uint32_t low = 0, high = listed.messages - 1;
    WARPAES_KEEP_ROLLED
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (end_of(middle) > group) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
};

/// A slot's groups of one message, in the terms of a CounterRunner: of a message with one run. What is needed
/// only when the groups are done is looked up then, as there are no registers to keep it.
struct ListedPart {
  const ListedGcmArguments& listed;
  const RoundKeys& keys;
  const GhashPowers& powers;
  uint32_t index;  // of the message
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint32_t table_groups, table_groups_per_run;
  uint32_t sliced_groups;  // how many groups of the message come before
  static constexpr uint32_t table_runs = 1;
  static constexpr uint64_t input_stride = 0, output_stride = 0;

  /// How many parts of the message other slots have before this one.
  template <class Thread>
  WARPAES_HOST_DEVICE uint32_t first_part(Thread& thread) const {
    const ListedSlot<Thread> slot{thread, listed};
    return static_cast<uint32_t>(slot.number() - slot.begin_of(index) / slot.groups()) * slot.kShares;
  }
};

template <Hashed Hash>
WARPAES_HOST_DEVICE Columns first_counter(const ListedPart& part, uint64_t) {
  Columns counter = load_bytes(part.listed.nonce(part.index), 12);
  counter.d = reverse_bytes(2);
  return counter;
}

template <Hashed Hash>
WARPAES_HOST_DEVICE uint32_t first_counter_number(const ListedPart&) {
  return 2;
}

template <class Thread>
WARPAES_HOST_DEVICE Gf128 hash_of_aad_and_lengths(Thread& thread, const ListedPart& part, uint64_t) {
  const BatchedMessage message = BatchedMessage::described(part.listed, part.index);
  struct {
    const GhashPowers& powers;
    const uint8_t* aad;
    uint64_t aad_bytes, aad_stride, bytes;
    Gf128* aad_sums;
  } const described{part.powers, message.aad, message.aad_bytes, 0, message.bytes, nullptr};
  return hash_of_aad_and_lengths(thread, described, uint64_t{0});
}

/// Hands in a part's sum.
template <Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void add_part(Thread& thread, const ListedPart& part, uint64_t, uint32_t number,
                                  Gf128 sum) {
  constexpr Ciphertext kSide = Hash == Hashed::input ? Ciphertext::input : Ciphertext::output;
  const ListedGcmArguments& listed = part.listed;
  const ListedSlot<Thread> slot{thread, listed};
  const uint64_t first = slot.begin_of(part.index) / slot.groups(),
                 last = (slot.end_of(part.index) - 1) / slot.groups();
  const PartSums<1> sums{listed.arrivals + part.index, listed.sums + slot.kShares * (first + part.index),
                         slot.kShares * static_cast<uint32_t>(last - first + 1)};
  Gf128 total[1] = {sum};
  if (!sums.hand_in(thread, number, total)) return;
  int32_t status = WARPAES_OK;
  if (thread.lane() == 0) {
    status = finish_message<kSide>(listed, part.index, to_columns(total[0]), WARPAES_OK);
  }
  if (!thread.any(status != WARPAES_OK)) return;
  wipe_output(BatchedMessage::described(listed, part.index), kWarpLanes, thread.lane());
}

/// A warp's work on its slot.
template <int Tables, int Rounds, Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void run_listed_slot(Thread& thread, const LanePrivateTables<Tables>& tables,
                                         const LanePower& power, const ListedGcmArguments& listed) {
  using Runner = CounterRunner<Tables, Rounds, kBlocksAlone, Hash, Thread, ListedPart>;
  const ListedSlot<Thread> slot{thread, listed};
  uint64_t at = slot.begin();
  WARPAES_KEEP_ROLLED
  while (at < slot.end()) {
    const uint32_t index = slot.message_at(at);
    const uint32_t groups = static_cast<uint32_t>(smaller_of(slot.end_of(index), slot.end()) - at);
    const BatchedMessage message = BatchedMessage::described(listed, index);
    const ListedPart part{.listed = listed,
                          .keys = listed.keys,
                          .powers = listed.powers,
                          .index = index,
                          .input = message.input,
                          .output = message.output,
                          .bytes = message.bytes,
                          .table_groups = groups,
                          .table_groups_per_run = groups,
                          .sliced_groups = static_cast<uint32_t>(at - slot.begin_of(index))};
    Runner runner(thread, tables, power, part, slot.task() % slot.kShares);
    runner.prepare();
    const Gf128 sum = runner();
    add_part<Hash>(thread, part, 0, runner.part(), sum);
    at = slot.begin_of(index) + part.sliced_groups + groups;
  }
}

namespace kernels::grid {

/// The kernel of the first launch, which counts groups.
struct PlanListedMessages : WithoutKey {
  static constexpr const char* kName = "grid/plan_listed_messages";
  using Arguments = ListedMessages;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy&, int) {
    constexpr uint32_t kThreads = 1024;
    return {.threads = kThreads, .shared_bytes = kThreads * sizeof(uint64_t), .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    plan_listed_messages(thread, arguments);
  }
};

/// The kernel of the second launch, which encrypts or decrypts.
template <Hashed Hash>
struct ListedGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/listed_gcm";
  using Arguments = ListedGcmArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return counter_policy<Hash>(on);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    end_fill(thread);
    const Lane tables(thread.shared(), thread.lane());
    const LanePower power(thread, thread.shared() + kPolicy.shared_bytes);
    run_listed_slot<kPolicy.tables, Rounds, Hash>(thread, tables, power, arguments);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
