// CTR and GCM of one long message that begins at no multiple of 16: some warps look up tables, and others
// compute on bit planes.
//
//     groups     | run 0: tables | run 1: tables | bit planes: run 0 | run 1 | … | last run: tables |
//
// It is to grid/shifted_ctr_gcm.hpp what the hybrid kernel of grid/bitsliced_ctr_gcm.hpp is to
// grid/ctr_gcm.hpp. Runs begin where a group of 256 counters does. So the warps on bit planes have whole
// groups only, and neither end of the message.
//
// Limits. As grid/shifted_ctr_gcm.hpp, for the share of the groups that is left to tables. Timing class:
// conflict-free.
#pragma once

#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/grid/shifted_ctr_gcm.hpp"

namespace warpaes::core::kernels::grid {

/// The kernel for CTR or GCM. Whether GCM encrypts or decrypts follows from what is hashed.
template <Hashed Hash>
struct ShiftedHybridCtrGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/shifted_hybrid_ctr_gcm";
  using Arguments = SlicedArgumentsOf<Hash>;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return hybrid_policy<Hash>(on);
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int rounds) {
    return hybrid_warps<Hash>(on, rounds, kGroupBlocks / kWarpLanes);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    constexpr uint32_t kTableWarps = kPolicy.table_warps;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    const LanePower power(thread,
                          thread.shared() + kPolicy.shared_bytes - kTableWarps * LanePower::kBytesOfWarp);
    const uint32_t run = first_table_task(thread);
    const bool has_run = thread.warp() < kTableWarps && run < arguments.table_runs;
    if constexpr (Hash != Hashed::nothing) {
      if (has_run) shifted_run<Hash>(arguments, run).prepare(thread, power, arguments);
    }
    thread.await_predecessors();
    begin_only_message<Hash>(thread, arguments);
    thread.barrier();
    Gf128 sum{0, 0};
    if (has_run) {
      const Lane tables(thread.shared_origin(), thread.shared_offset() / 4 + thread.lane());
      sum = shifted_counter_run<kPolicy.tables, Rounds, Hash>(thread, tables, power, arguments, run, 0);
    } else if (thread.warp() >= kTableWarps) {
      sum = take_sliced_run<Rounds, Hash, false, ShiftedGroupRows<Thread>>(
          thread, thread.shared() + kPolicy.tables * kTableBytes, arguments, thread.warp() - kTableWarps);
    }
    if constexpr (Hash != Hashed::nothing) end_only_message<Hash>(thread, arguments, sum);
  }
};

}  // namespace warpaes::core::kernels::grid
