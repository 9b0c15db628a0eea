// GCM of long messages that arrays describe, when there is much of them: some warps look up tables, and
// others compute on bit planes.
//
//     groups      | message 0 | message 3           | message 4           | message 7     |
//     slots       | slot 0: tables | slot 1: tables | … | slot n: bit planes | slot n + 1 | … |
//
// It is to grid/listed_gcm.hpp what the hybrid kernel of grid/bitsliced_ctr_gcm.hpp is to grid/ctr_gcm.hpp.
// The first launch leaves a share of the groups, the last ones, to the warps on bit planes: each of them has
// as many consecutive groups as any other, and both ends of messages among them.
//
// Limits. As grid/listed_gcm.hpp, for the groups that are left to tables. Timing class: conflict-free.
#pragma once

#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/grid/listed_gcm.hpp"

namespace warpaes::core {

using ListedHybridArguments = WithSlicedKeys<ListedGcmArguments>;

/// A value in shared memory, which is loaded where it is needed.
template <class Value>
struct InShared {
  const Value& at;

  WARPAES_HOST_DEVICE operator Value() const { return at; }
};

/// The scratch of a warp on bit planes. There are no registers to keep what it is told of a message.
struct ListedScratch : SlicedScratch {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  Groups groups;
  uint32_t index;   // of the message
  uint32_t number;  // of the slot
};

/// A slot's groups of one message in the terms of a SlicedCounterRunner: the only run of a message.
struct ListedSlicedPart {
  const ListedGcmArguments& listed;
  const ListedPlan& plan;
  const SlicedKeys& sliced_keys;
  const GhashPowers& powers;
  InShared<uint32_t> index;
  InShared<const uint8_t*> input;
  InShared<uint8_t*> output;
  InShared<uint64_t> bytes;
  struct {
    InShared<uint32_t> begin, end;
  } groups;

  WARPAES_HOST_DEVICE operator ListedPart() const { return {listed, plan, index}; }
};

WARPAES_HOST_DEVICE auto groups_of_sliced_run(const ListedSlicedPart& part, uint32_t) { return part.groups; }

/// The work of a warp on bit planes on its slot.
/// @param warp which of the thread block's warps on bit planes this is
template <int Rounds, Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void run_listed_sliced_slot(Thread& thread, ListedScratch& scratch,
                                                const ListedHybridArguments& listed, const ListedPlan& plan,
                                                uint32_t warp) {
  using Runner = SlicedCounterRunner<Rounds, Hash, true, AlignedGroupRows<Thread>, Thread, ListedSlicedPart>;
  if (thread.lane() == 0) scratch.number = warp * thread.block_count() + thread.block();
  thread.sync_warp();
  const ListedSlots slots{listed, plan};
  const auto slot = [&] { return slots.of_bit_planes(scratch.number); };
  for_each_listed_part(slots, slot, [&](uint32_t index, Groups groups) {
    thread.sync_warp();  // all lanes have read what was there of the message before
    if (thread.lane() == 0) {
      const BatchedMessage message = BatchedMessage::described(listed, index);
      scratch.input = message.input;
      scratch.output = message.output;
      scratch.bytes = message.bytes;
      scratch.groups = groups;
      scratch.index = index;
    }
    thread.sync_warp();
    const ListedSlicedPart part{listed,
                                plan,
                                listed.sliced_keys,
                                listed.powers,
                                {scratch.index},
                                {scratch.input},
                                {scratch.output},
                                {scratch.bytes},
                                {{scratch.groups.begin}, {scratch.groups.end}}};
    const Gf128 sum = Runner(thread, scratch, part, 0)();
    const uint32_t number = ListedPart(part).parts_before(plan.table_slots + scratch.number);
    add_part<Hash>(thread, part, 0, number, sum);
    return scratch.index;
  });
}

namespace kernels::grid {

/// The kernel of the second launch for both kinds of warps. The first ones of a thread block look up tables.
template <Hashed Hash>
struct ListedHybridGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/listed_hybrid_gcm";
  using Arguments = ListedHybridArguments;
  static constexpr uint32_t kBlocks = kBlocksHybrid;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    KernelPolicy policy = hybrid_policy<Hash>(on);
    const uint32_t sliced_warps = policy.threads / kWarpLanes - static_cast<uint32_t>(policy.table_warps);
    policy.shared_bytes +=
        sizeof(ListedPlan) + sliced_warps * (sizeof(ListedScratch) - sizeof(SlicedScratch));
    return policy;
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int rounds) {
    return hybrid_warps<Hash>(on, rounds, kBlocks);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    constexpr uint32_t kTableWarps = kPolicy.table_warps;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    thread.await_predecessors();
    auto& plan = *reinterpret_cast<ListedPlan*>(thread.shared() + kPolicy.tables * kTableBytes);
    load_plan(thread, arguments, plan);
    thread.barrier();
    if (thread.warp() < kTableWarps) {
      const Lane tables(thread.shared(), thread.lane());
      const LanePower power(thread,
                            thread.shared() + kPolicy.shared_bytes - kTableWarps * LanePower::kBytesOfWarp);
      run_listed_table_slot<kPolicy.tables, Rounds, kBlocks, Hash>(thread, tables, power, arguments, plan);
    } else {
      // The scratch's address is found again at the end, as there is no register to keep it.
      const auto warp = [&] { return thread.warp() - kTableWarps; };
      const auto scratch = [&]() -> ListedScratch& {
        return reinterpret_cast<ListedScratch*>(&plan + 1)[warp()];
      };
      run_listed_sliced_slot<Rounds, Hash>(thread, scratch(), arguments, plan, warp());
      clear_scratch(thread, scratch());
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
