// Consecutive blocks at any address, of which a warp takes a row of 32 at a time: for modes whose cipher
// works on the data. CTR's, which works on counters, has warp/shifted_counter_rows.hpp.
//
//     blocks    | 0 … 31 | 32 … 63 | 64 … 70 |        lane l: block l of each row
//
// The next row is loaded before the cipher works on the present one. Only the first row and the last two can
// have chunks that reach beyond the blocks; there, words, pairs of bytes and bytes are accessed.
#pragma once

#include "kernels/warp/shifted_blocks.hpp"

namespace warpaes::core {

/// All lanes of a warp as the team that shares blocks; see Team of team/frame.hpp.
template <class Thread>
class WholeWarp {
 public:
  WARPAES_HOST_DEVICE explicit WholeWarp(Thread& thread) : thread_(thread) {}
  WARPAES_HOST_DEVICE static uint32_t lanes() { return kWarpLanes; }
  WARPAES_HOST_DEVICE uint32_t lane() const { return thread_.lane(); }
  WARPAES_HOST_DEVICE bool is_last() const { return thread_.lane() == kWarpLanes - 1; }
  WARPAES_HOST_DEVICE Columns from_lane_before(Columns v, uint32_t distance) const {
    const uint32_t from = (thread_.lane() - distance) % kWarpLanes;
    return {thread_.shuffle(v.a, from), thread_.shuffle(v.b, from), thread_.shuffle(v.c, from),
            thread_.shuffle(v.d, from)};
  }

 private:
  Thread& thread_;
};

/// Replaces the blocks by what crypt() makes of them, row by row. All lanes of the warp call. `to` may be
/// `from`.
/// @param bytes of the blocks; the last block may be shorter than the others
/// @param crypt (Columns) -> Columns: a lane's block of the next row. All lanes call it for each row, also
///        those that have no block in the last one: what they get and return does not matter.
template <class Thread, class Crypt>
WARPAES_HOST_DEVICE void shifted_rows(Thread& thread, const uint8_t* from, uint8_t* to, uint64_t bytes,
                                      const Crypt& crypt) {
  const BlockRange blocks(bytes);
  const WholeWarp<Thread> warp(thread);
  const ShiftedInput input(from, blocks);
  ShiftedOutput<WholeWarp<Thread>> output(warp, to, blocks);
  const auto is_inner = [&](uint32_t row) { return row != 0 && row + 2 * kWarpLanes < blocks.count; };
  const auto load = [&](uint32_t row) {
    const uint32_t block = row + thread.lane();
    if (is_inner(row)) return input.load_inner(block);
    return block < blocks.count ? input.load(block) : Chunks{{0, 0, 0, 0}, {0, 0, 0, 0}};
  };
  Chunks next = load(0);
  WARPAES_KEEP_ROLLED
  for (uint32_t row = 0; row < blocks.count; row += kWarpLanes) {
    const uint32_t block = row + thread.lane();
    const Columns in = input.joined(next, computed_again);
    if (row + kWarpLanes < blocks.count) next = load(row + kWarpLanes);
    const Columns out = crypt(in), chunk = output.chunk_of(out);
    if (is_inner(row)) {
      output.store_inner(block, chunk);
    } else if (block < blocks.count) {
      output.store(block, chunk, out);
    }
  }
}

}  // namespace warpaes::core
