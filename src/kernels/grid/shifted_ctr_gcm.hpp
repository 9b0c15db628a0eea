// CTR and GCM of messages that begin at no multiple of 16.
//
//     message    | run 0 | run 1 | run 2 | …             a warp has a run: consecutive groups of 256 blocks
//     run        | row 0: block l for lane l | row 1: block l + 32 | …
//
// grid/ctr_gcm.hpp lets two warps share a run, each with half of every group. Here a warp has the whole run,
// because blocks that lie across multiples of 16 are stored by two lanes together, and warps cannot do that:
// at each of its ends a warp stores byte by byte. So the blocks of a lane differ in more than their group,
// and the counters are those of warp/message_counters.hpp, which take four look-ups more a block.
//
// Limits. Shared memory: the look-ups, and as much as 16 of them for a block's two chunks, the part of the
// lane before, and the store. Timing class: conflict-free.
#pragma once

#include "kernels/grid/ctr_gcm.hpp"
#include "kernels/warp/shifted_counter_rows.hpp"
#include "kernels/warp/shifted_rows.hpp"

namespace warpaes::core {

/// Where a run begins in its message, in blocks, and how many bytes it has.
struct ShiftedRun {
  uint64_t first, bytes;

  /// @param skew the position of the message's first block in group 0
  template <class Arguments>
  WARPAES_HOST_DEVICE ShiftedRun(const Arguments& arguments, uint32_t run, uint32_t skew) {
    const Groups groups = groups_of_table_run(arguments, run);
    first = groups.begin == 0 ? 0 : uint64_t{groups.begin} * kGroupBlocks - skew;
    const uint64_t most = (uint64_t{groups.end} * kGroupBlocks - skew - first) * 16,
                   left = arguments.bytes - 16 * first;
    bytes = left < most ? left : most;
  }

  /// Block i is multiplied by H^(blocks + 1 - i), as the block of lengths comes last. Lane 31 has the run's
  /// last block.
  template <class Thread, class Arguments>
  WARPAES_HOST_DEVICE void prepare(Thread& thread, const LanePower& power, const Arguments& arguments) const {
    const uint64_t end = first + block_count(bytes);
    power.prepare(thread, static_cast<int64_t>(block_count(arguments.bytes) + 2 - end), arguments.powers);
  }
};

/// Runs begin where a group of 256 counters does, as those of warps on bit planes have to.
template <Hashed Hash, class Arguments>
WARPAES_HOST_DEVICE ShiftedRun shifted_run(const Arguments& arguments, uint32_t run) {
  return {arguments, run, first_counter_number<Hash>(arguments) & (kGroupBlocks - 1)};
}

/// One warp's work on one run of a message. All lanes of the warp call.
/// @param power that of the run
/// @return the run's share of the tag, in all lanes; nothing in CTR
template <int Tables, int Rounds, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE Gf128 shifted_counter_run(Thread& thread, const LanePrivateTables<Tables>& tables,
                                              const LanePower& power, const Arguments& arguments,
                                              uint32_t run, uint64_t message) {
  const ShiftedRun place = shifted_run<Hash>(arguments, run);
  const uint64_t first = place.first, bytes = place.bytes;
  const auto initial = [&] { return first_counter<Hash>(arguments, message); };
  const uint32_t first_of_run = reverse_bytes(initial().d) + static_cast<uint32_t>(first);
  using Counters = MessageCounters<Tables, decltype(initial)>;
  Counters counters(tables, arguments.keys, initial, first_of_run);
  const WholeWarp warp(thread);
  const uint8_t* const from = arguments.input + message * arguments.input_stride + 16 * first;
  uint8_t* const to = arguments.output + message * arguments.output_stride + 16 * first;
  const auto rows = [&](const Gf128Factor& to_next_row) {
    return ShiftedCounterRows<Tables, Rounds, Hash, WholeWarp<Thread>, Counters>(
        tables, arguments.keys, to_next_row, warp, counters, first_of_run)(from, to, bytes, {0, 0}, true);
  };
  if constexpr (Hash == Hashed::nothing) {
    rows({});
    return {0, 0};
  } else {
    Gf128 sum = power.use(thread, rows(arguments.powers.of_thread(1)));
    if constexpr (!frame_is_added_later<Arguments>) {
      if (run == 0) sum = sum ^ frame_of_tag<Hash, Rounds>(thread, tables, arguments, message);
    }
    return sum;
  }
}

namespace kernels::grid {

/// The kernel for CTR or GCM. Whether GCM encrypts or decrypts follows from what is hashed.
template <Hashed Hash>
struct ShiftedCtrGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/shifted_ctr_gcm";
  using Arguments = CounterArgumentsOf<Hash>;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return counter_policy<Hash>(on);
  }

  /// A warp takes all blocks of a group.
  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int) {
    return {counter_threads<Hash>(on) / static_cast<int>(kWarpLanes), 0, 0, kGroupBlocks / kWarpLanes};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    const LanePower power(thread, thread.shared() + kPolicy.shared_bytes);
    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes),
                   tasks = arguments.messages * arguments.table_runs;
    uint32_t task = first_table_task(thread);
    if constexpr (Hash != Hashed::nothing) {
      // A warp has at most one run of the only message.
      if (arguments.blocks_publish() && task < tasks) {
        shifted_run<Hash>(arguments, task).prepare(thread, power, arguments);
      }
    }
    thread.await_predecessors();
    begin_only_message<Hash>(thread, arguments);
    thread.barrier();
    const Lane tables(thread.shared_origin(), thread.shared_offset() / 4 + thread.lane());
    Gf128 sum{0, 0};
    for (; task < tasks; task += warps) {
      const uint32_t run = task % arguments.table_runs, message = task / arguments.table_runs;
      if constexpr (Hash != Hashed::nothing) {
        if (!arguments.blocks_publish()) shifted_run<Hash>(arguments, run).prepare(thread, power, arguments);
      }
      sum = shifted_counter_run<kPolicy.tables, Rounds, Hash>(thread, tables, power, arguments, run, message);
      if constexpr (Hash != Hashed::nothing) {
        if (!arguments.blocks_publish()) add_part<Hash>(thread, arguments, message, run, sum);
      }
    }
    if constexpr (Hash != Hashed::nothing) {
      if (arguments.blocks_publish()) end_only_message<Hash>(thread, arguments, sum);
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
