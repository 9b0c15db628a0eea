// GCM of messages that arrays in device memory describe, where the host cannot see them. All multiprocessors
// share all of these messages as if they were one.
//
//     groups      | message 0 | message 3           | message 4 | message 7    …  |
//     slots       | slot 0     | slot 1     | slot 2     | slot 3     | …         |
//
// The first launch, a single thread block, adds up the messages' groups of 256 blocks and deals them out to
// slots; in the second, the warps of a slot find by bisection whose groups they have, and hand in a sum for
// each message (docs/design/messages.md, "Lists of long messages"). The last warp of a message makes its tag,
// or compares it and wipes the output. Messages of at most `longer_than` bytes are for team/gcm.hpp.
//
// Limits. As grid/ctr_gcm.hpp. A slot's end inside a message costs the sum of the lanes' shares and a
// multiplication by a power of H; a slot's beginning a bisection. Timing class: conflict-free.
#pragma once

#include <concepts>

#include "kernels/grid/shifted_ctr_gcm.hpp"
#include "kernels/team/message_teams.hpp"

namespace warpaes::core {

template <class Number>
WARPAES_HOST_DEVICE constexpr Number smaller_of(Number a, Number b) {
  return a < b ? a : b;
}

template <class Number>
WARPAES_HOST_DEVICE constexpr Number larger_of(Number a, Number b) {
  return a < b ? b : a;
}

/// How the first launch has dealt the groups of a list out to slots.
struct alignas(16) ListedPlan {
  uint64_t groups;        // of all messages
  uint64_t table_groups;  // those left to tables, which are the first
  uint64_t groups_per_table_slot, groups_per_sliced_slot;
  uint32_t table_slots;  // how many slots the former are in
};

/// The messages, and what the first launch finds out about them.
struct ListedMessages : MessageBatch {
  uint64_t longer_than;
  uint64_t* ends;      // of each message: how many groups it has together with all messages before it
  uint32_t* arrivals;  // one for each message
  ListedPlan* plan;
  Gf128* sums;  // one for each warp, and as many for each message as warps share a slot
  uint32_t table_slots, sliced_slots;  // how many slots the second launch has at most
  uint32_t sliced_permille;            // how many of 1000 groups go to bit planes
  uint32_t sliced_from;                // if there are as many groups or more
};

struct ListedGcmArguments : ListedMessages {
  RoundKeys keys;
  uint32_t shares;  // how many warps share a slot of tables
  GhashPowers powers;
};

/// Does the message begin at a multiple of 16?
WARPAES_HOST_DEVICE bool is_in_rows(const BatchedMessage& message) {
  return is_aligned(message.input) && is_aligned(message.output);
}

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

WARPAES_HOST_DEVICE constexpr uint64_t quotient_rounded_up(uint64_t dividend, uint64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// @param aligned do all messages begin at multiples of 16? If not, bit planes would be slow
WARPAES_HOST_DEVICE ListedPlan plan_of_groups(const ListedMessages& listed, uint64_t groups, bool aligned) {
  const bool has_sliced = aligned && groups >= listed.sliced_from;
  const uint64_t sliced = has_sliced ? groups * listed.sliced_permille / 1000 : 0;
  ListedPlan plan{};
  plan.groups = groups;
  plan.table_groups = groups - sliced;
  plan.groups_per_table_slot =
      larger_of(quotient_rounded_up(plan.table_groups, listed.table_slots), uint64_t{1});
  if (sliced != 0) plan.groups_per_sliced_slot = quotient_rounded_up(sliced, listed.sliced_slots);
  plan.table_slots =
      static_cast<uint32_t>(quotient_rounded_up(plan.table_groups, plan.groups_per_table_slot));
  return plan;
}

/// Counts the groups of long messages, deals them out to slots, and reports the messages that are refused.
/// @param thread one of the grid's only thread block, which has 8 bytes of shared memory for each thread
template <class Thread>
WARPAES_HOST_DEVICE void plan_listed_messages(Thread& thread, const ListedMessages& listed) {
  const uint32_t share = (listed.messages + thread.count() - 1) / thread.count();
  const uint32_t first = smaller_of(share * thread.index(), listed.messages),
                 end = smaller_of(first + share, listed.messages);
  // Above bit 47, sums count the messages that begin at no multiple of 16. There are fewer groups than that.
  constexpr uint64_t kUnaligned = uint64_t{1} << 48;
  uint64_t sum = 0;
  WARPAES_KEEP_ROLLED
  for (uint32_t index = first; index < end; index++) {
    const uint64_t groups = planned_groups(listed, index);
    sum += groups;
    if (groups != 0 && !is_in_rows(BatchedMessage::described(listed, index))) sum += kUnaligned;
    listed.ends[index] = sum % kUnaligned;
    listed.arrivals[index] = 0;
  }
  const uint64_t all = sum_up_to_here(thread, sum), before = (all - sum) % kUnaligned;
  WARPAES_KEEP_ROLLED
  for (uint32_t index = first; index < end; index++) listed.ends[index] += before;
  if (thread.index() == thread.count() - 1) {
    *listed.plan = plan_of_groups(listed, all % kUnaligned, all < kUnaligned);
  }
}

/// Where slots begin and end. Those of tables come first, and then those of bit planes, if there are any.
struct ListedSlots {
  const ListedMessages& listed;
  const ListedPlan& plan;
  /// The groups of a slot, of which there may be none.
  struct Range {
    uint64_t begin, end;
  };
  WARPAES_HOST_DEVICE Range of_tables(uint32_t number) const {
    return part_of({0, plan.table_groups}, plan.groups_per_table_slot, number);
  }
  WARPAES_HOST_DEVICE Range of_bit_planes(uint32_t number) const {
    return part_of({plan.table_groups, plan.groups}, plan.groups_per_sliced_slot, number);
  }
  /// The number of the slot that has the group. Those of bit planes are counted behind those of tables.
  WARPAES_HOST_DEVICE uint32_t slot_of(uint64_t group) const {
    if (group < plan.table_groups) return static_cast<uint32_t>(group / plan.groups_per_table_slot);
    return plan.table_slots +
           static_cast<uint32_t>((group - plan.table_groups) / plan.groups_per_sliced_slot);
  }
  /// How many warps work on the slots before this one.
  WARPAES_HOST_DEVICE uint32_t warps_before(uint32_t slot, uint32_t shares) const {
    const uint32_t of_tables = smaller_of(slot, plan.table_slots);
    return shares * of_tables + slot - of_tables;
  }
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

 private:
  WARPAES_HOST_DEVICE static Range part_of(Range all, uint64_t groups, uint32_t number) {
    const uint64_t begin = smaller_of(all.begin + number * groups, all.end);
    return {begin, smaller_of(begin + groups, all.end)};
  }
};

/// A slot's groups of one message.
struct ListedPart {
  const ListedGcmArguments& listed;
  const ListedPlan& plan;
  uint32_t index;  // of the message
  WARPAES_HOST_DEVICE ListedSlots slots() const { return {listed, plan}; }
  WARPAES_HOST_DEVICE uint32_t first_slot() const { return slots().slot_of(slots().begin_of(index)); }
  /// How many parts of the message lie in slots before this one: one for each warp.
  WARPAES_HOST_DEVICE uint32_t parts_before(uint32_t slot) const {
    return slots().warps_before(slot, listed.shares) - slots().warps_before(first_slot(), listed.shares);
  }
};

/// A part in the terms of a CounterRunner: of a message with one run. What is needed only when the groups are
/// done is looked up then, as there are no registers to keep it.
/// @tparam Blocks how many blocks of a group a thread takes
template <uint32_t Blocks>
struct ListedTablePart : ListedPart {
  static constexpr uint32_t kShares = kGroupBlocks / kWarpLanes / Blocks;
  static constexpr bool kFrameIsAddedLater = true;
  const RoundKeys& keys;
  const GhashPowers& powers;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint32_t table_groups, table_groups_per_run;
  uint32_t sliced_groups;  // how many groups of the message come before
  static constexpr uint32_t table_runs = 1;
  static constexpr uint64_t input_stride = 0, output_stride = 0;
  WARPAES_HOST_DEVICE ListedTablePart(const ListedPart& part, Groups groups)
      : ListedTablePart(part, BatchedMessage::described(part.listed, part.index), groups) {}
  /// Leaves only the groups of one of the warps, instead of a share of each group.
  WARPAES_HOST_DEVICE void keep(uint32_t share) {
    const uint32_t each = (table_groups + kShares - 1) / kShares,
                   before = smaller_of(share * each, table_groups);
    sliced_groups += before;
    table_groups = table_groups_per_run = smaller_of(each, table_groups - before);
  }
  template <class Thread>
  WARPAES_HOST_DEVICE uint32_t number(Thread& thread) const {
    const uint32_t task = first_table_task(thread);
    return parts_before(task / kShares) + task % kShares;
  }

 private:
  WARPAES_HOST_DEVICE ListedTablePart(const ListedPart& part, const BatchedMessage& message, Groups groups)
      : ListedPart(part),
        keys(part.listed.keys),
        powers(part.listed.powers),
        input(message.input),
        output(message.output),
        bytes(message.bytes),
        table_groups(groups.end - groups.begin),
        table_groups_per_run(groups.end - groups.begin),
        sliced_groups(groups.begin) {}
};

template <Hashed Hash, std::convertible_to<ListedPart> Part>
WARPAES_HOST_DEVICE Columns first_counter(const Part& part, uint64_t) {
  Columns counter = load_bytes(part.listed.nonce(part.index), 12);
  counter.d = reverse_bytes(2);
  return counter;
}

template <Hashed Hash, std::convertible_to<ListedPart> Part>
WARPAES_HOST_DEVICE uint32_t first_counter_number(const Part&) {
  return 2;
}

template <class Thread, std::convertible_to<ListedPart> Part>
WARPAES_HOST_DEVICE Gf128 hash_of_aad_and_lengths(Thread& thread, const Part& part, uint64_t) {
  const BatchedMessage message = BatchedMessage::described(part.listed, part.index);
  struct {
    const GhashPowers& powers;
    const uint8_t* aad;
    uint64_t aad_bytes, aad_stride, bytes;
    Gf128* aad_sums;
  } const described{part.listed.powers, message.aad, message.aad_bytes, 0, message.bytes, nullptr};
  return hash_of_aad_and_lengths(thread, described, uint64_t{0});
}

/// Hands in a part's sum.
template <Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void add_part(Thread& thread, const ListedPart& part, uint64_t, uint32_t number,
                                  Gf128 sum) {
  constexpr Ciphertext kSide = Hash == Hashed::input ? Ciphertext::input : Ciphertext::output;
  const ListedGcmArguments& listed = part.listed;
  const ListedSlots slots = part.slots();
  const uint32_t last = slots.slot_of(slots.end_of(part.index) - 1),
                 place = slots.warps_before(part.first_slot(), listed.shares) + listed.shares * part.index;
  const PartSums<1> sums{listed.arrivals + part.index, listed.sums + place, part.parts_before(last + 1)};
  Gf128 total[1] = {sum};
  if (!sums.hand_in(thread, number, total)) return;
  int32_t status = WARPAES_OK;
  if (thread.lane() == 0) {
    status = finish_message<kSide>(listed, part.index, to_columns(total[0]), WARPAES_OK);
  }
  if (!thread.any(status != WARPAES_OK)) return;
  wipe_output(BatchedMessage::described(listed, part.index), kWarpLanes, thread.lane());
}

/// Brings the plan to shared memory, as registers do not suffice for addresses. All call, before a barrier.
template <class Thread>
WARPAES_HOST_DEVICE void load_plan(Thread& thread, const ListedMessages& listed, ListedPlan& plan) {
  if (thread.index() == 0) plan = *listed.plan;
}

/// Calls take with each message of a slot.
/// @param slot () -> Range, which is asked again for each message, as there are no registers to keep it
/// @param take (uint32_t message, Groups) -> uint32_t, with the slot's groups of it; returns `message`
template <class Slot, class Take>
WARPAES_HOST_DEVICE void for_each_listed_part(const ListedSlots& slots, const Slot& slot, const Take& take) {
  uint64_t at = slot().begin;
  WARPAES_KEEP_ROLLED
  while (at < slot().end) {
    const uint32_t index = slots.message_at(at);
    const uint64_t begin = slots.begin_of(index), end = smaller_of(slots.end_of(index), slot().end);
    const uint32_t taken =
        take(index, Groups{static_cast<uint32_t>(at - begin), static_cast<uint32_t>(end - begin)});
    at = smaller_of(slots.end_of(taken), slot().end);
  }
}

/// A warp's work on its part of a message.
/// @param share which of the warps that share the slot this is
/// @return this warp's share of the tag, in all lanes, but for frame_of_tag()
template <int Tables, int Rounds, uint32_t Blocks, Hashed Hash, class Thread>
WARPAES_HOST_DEVICE Gf128 run_listed_table_part(Thread& thread, const LanePrivateTables<Tables>& tables,
                                                const LanePower& power, ListedTablePart<Blocks>& part,
                                                uint32_t share) {
  if (is_aligned(part.input) && is_aligned(part.output)) {
    CounterRunner<Tables, Rounds, Blocks, Hash, Thread, ListedTablePart<Blocks>> runner(thread, tables, power,
                                                                                        part, share);
    runner.prepare();
    return runner();
  }
  part.keep(share);
  if (part.table_groups == 0) return {0, 0};
  shifted_run<Hash>(part, 0).prepare(thread, power, part);
  return shifted_counter_run<Tables, Rounds, Hash>(thread, tables, power, part, 0, 0);
}

/// The work of a warp that looks up tables on its slot.
template <int Tables, int Rounds, uint32_t Blocks, Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void run_listed_table_slot(Thread& thread, const LanePrivateTables<Tables>& tables,
                                               const LanePower& power, const ListedGcmArguments& listed,
                                               const ListedPlan& plan) {
  using Part = ListedTablePart<Blocks>;
  const auto task = [&] { return first_table_task(thread); };
  const ListedSlots slots{listed, plan};
  const auto slot = [&] { return slots.of_tables(task() / Part::kShares); };
  for_each_listed_part(slots, slot, [&](uint32_t message, Groups groups) {
    Part part({listed, plan, message}, groups);
    Gf128 sum = run_listed_table_part<Tables, Rounds, Blocks, Hash>(thread, tables, power, part,
                                                                    task() % Part::kShares);
    const uint32_t number = part.number(thread);
    if (number == 0) sum = sum ^ frame_of_tag<Hash, Rounds>(thread, tables, part, 0);
    add_part<Hash>(thread, part, 0, number, sum);
    return message;
  });
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
    KernelPolicy policy = counter_policy<Hash>(on);
    policy.shared_bytes += sizeof(ListedPlan);
    return policy;
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int rounds) {
    return CtrGcm<Hash>::warps(on, rounds);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    thread.await_predecessors();
    auto& plan = *reinterpret_cast<ListedPlan*>(thread.shared() + kPolicy.tables * kTableBytes);
    load_plan(thread, arguments, plan);
    thread.barrier();
    const Lane tables(thread.shared(), thread.lane());
    const LanePower power(thread, thread.shared() + kPolicy.shared_bytes);
    run_listed_table_slot<kPolicy.tables, Rounds, kBlocksAlone, Hash>(thread, tables, power, arguments, plan);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
