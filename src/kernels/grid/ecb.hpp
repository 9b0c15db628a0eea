// ECB: each thread of the grid takes one block, and strides over the message. It loads its next block before
// it works on the present one.
//
//     thread of the grid    0    1    2   …   n - 1
//     step 0              | 0  | 1  | 2  | … | n - 1  |     blocks of the message
//     step 1              | n  | n+1| n+2| … | 2n - 1 |
//
// A message that begins at no multiple of 16 is cut into as many runs as there are warps, as blocks that lie
// across such multiples are stored by two lanes of a warp together (warp/shifted_rows.hpp).
//
// Limits. Shared memory: 16 look-ups a round, and as much as 8 look-ups for the block's load and store.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/shifted_rows.hpp"

namespace warpaes::core {

struct CodebookArguments {
  RoundKeys keys;  // KeySchedule::encryption() or decryption()
  const uint8_t* input;
  uint8_t* output;
  uint64_t blocks;
};

template <int Rounds, warpaes_direction Way, class Lane>
WARPAES_HOST_DEVICE Columns codebook(const Lane& tables, const RoundKeys& keys, Columns block) {
  if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) {
    return tables.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  } else {
    return tables.template decrypt<Rounds>(block, keys);
  }
}

/// One lane's work: block `first` and every block that lies a multiple of `step` behind it. All are at
/// multiples of 16.
template <int Rounds, warpaes_direction Way, class Lane>
WARPAES_HOST_DEVICE void codebook_lane(const Lane& tables, const CodebookArguments& arguments, uint64_t first,
                                       uint64_t step) {
  if (first >= arguments.blocks) return;
  const uint8_t* input = arguments.input + 16 * first;
  uint8_t* output = arguments.output + 16 * first;
  Columns next = load_aligned(input);
  for (uint64_t i = first; i < arguments.blocks; i += step) {
    const Columns block = next;
    input += 16 * step;
    if (i + step < arguments.blocks) next = load_aligned(input);
    store_aligned(output, codebook<Rounds, Way>(tables, arguments.keys, block));
    output += 16 * step;
  }
}

/// One warp's work on its run of a message at any address. All lanes of the warp call.
template <int Rounds, warpaes_direction Way, class Thread, class Lane>
WARPAES_HOST_DEVICE void codebook_run(Thread& thread, const Lane& tables,
                                      const CodebookArguments& arguments) {
  const uint64_t warps = static_cast<uint64_t>(thread.block_count()) * (thread.count() / kWarpLanes),
                 rows = (arguments.blocks + kWarpLanes - 1) / kWarpLanes,
                 run = (rows + warps - 1) / warps * kWarpLanes,
                 first = (uint64_t{thread.warp()} * thread.block_count() + thread.block()) * run;
  if (first >= arguments.blocks) return;
  const uint64_t left = arguments.blocks - first, blocks = left < run ? left : run;
  shifted_rows(thread, arguments.input + 16 * first, arguments.output + 16 * first, 16 * blocks,
               [&](Columns block) { return codebook<Rounds, Way>(tables, arguments.keys, block); });
}

namespace kernels::grid {

template <warpaes_direction Way>
struct Ecb : ForEveryKeySize {
  static constexpr const char* kName = "grid/ecb";
  using Arguments = CodebookArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, on.ecb_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), Way == WARPAES_DIRECTION_ENCRYPT ? thread.t0() : thread.inverse_t0(),
               thread.index(), thread.count());
    end_fill(thread);
    const Lane tables(thread.shared(), thread.lane());
    if (is_aligned(arguments.input) && is_aligned(arguments.output)) {
      const uint64_t step = static_cast<uint64_t>(thread.block_count()) * thread.count();
      const uint64_t first = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
      codebook_lane<Rounds, Way>(tables, arguments, first, step);
    } else {
      codebook_run<Rounds, Way>(thread, tables, arguments);
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
