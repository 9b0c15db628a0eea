// The eight rows of a group of 256 blocks, as a warp on bit planes loads and stores them: lane l has block
// l + 32 j of row j. One class for blocks at multiples of 16, and one for blocks at any address.
//
//     group          | row 0: 0 … 31 | row 1: 32 … 63 | … | row 7: 224 … 255 |
//     any address    . . . chunk | chunk | …                a chunk has the end of one block and the
//                                                           beginning of the next: see shifted_blocks.hpp
//
// Both have load(), once for each row, and store(), for the rows from the first to the last; and
// end_run(), to be called by all lanes behind the last group of a warp's run.
#pragma once

#include "kernels/warp/shifted_rows.hpp"

namespace warpaes::core {

/// Blocks at multiples of 16.
template <class Thread>
class AlignedGroupRows {
 public:
  /// @param in, out where the group's first block begins
  WARPAES_HOST_DEVICE AlignedGroupRows(Thread& thread, uint32_t*, const uint8_t* in, uint8_t* out, bool)
      : lane_(thread.lane()), in_(in), out_(out) {}

  WARPAES_HOST_DEVICE Columns load(uint32_t row) const { return load_aligned(in_ + offset(row)); }
  WARPAES_HOST_DEVICE void store(uint32_t row, Columns block) const {
    store_aligned(out_ + offset(row), block);
  }
  WARPAES_HOST_DEVICE static void end_run(Thread&, const uint32_t*, uint8_t*) {}

 private:
  WARPAES_HOST_DEVICE uint32_t offset(uint32_t row) const { return (lane_ + kWarpLanes * row) * 16; }

  const uint32_t lane_;
  const uint8_t* const in_;
  uint8_t* const out_;
};

/// Blocks at any address, with at least 16 bytes of the message before the group and 16 behind it. A warp
/// stores whole chunks, but for the two at the ends of its run, which it shares with other warps: there it
/// stores its own bytes only.
template <class Thread>
class ShiftedGroupRows {
 public:
  /// @param last a lane's four words of shared memory, for its last block of the group before
  /// @param begins_run is the group the run's first?
  WARPAES_HOST_DEVICE ShiftedGroupRows(Thread& thread, uint32_t* last, const uint8_t* in, uint8_t* out,
                                       bool begins_run)
      : warp_(thread), last_(last), in_(in), out_(out), begins_run_(begins_run) {}

  WARPAES_HOST_DEVICE Columns load(uint32_t row) const {
    const uint8_t* const low = in_ - low_bits(in_) % 16 + offset(row);
    const Columns high = low_bits(in_) % 16 == 0 ? Columns{0, 0, 0, 0} : load_aligned(low + 16);
    return joined(load_aligned(low), high, low_bits(in_));
  }

  WARPAES_HOST_DEVICE void store(uint32_t row, Columns block) {
    // At a multiple of 16 the block before has no part in the chunk: see ShiftedOutput.
    const bool is_shifted = low_bits(out_) % 16 != 0;
    Columns given = block;
    if (is_shifted && warp_.is_last()) {
      given = before_;
      if (row == 0) given = {last_[0], last_[1], last_[2], last_[3]};
    }
    before_ = block;
    const Columns chunk =
        joined(warp_.from_lane_before(given, is_shifted ? 1 : 0), block, 0 - low_bits(out_));
    uint8_t* const to = chunk_place(out_) + offset(row);
    if (row == 0 && begins_run_ && warp_.lane() == 0) {
      store_between(to, chunk, low_bits(out_) % 16, 16);
    } else {
      store_aligned(to, chunk);
    }
    if (row == kRows - 1 && warp_.is_last()) {
      last_[0] = block.a;
      last_[1] = block.b;
      last_[2] = block.c;
      last_[3] = block.d;
    }
  }

  /// @param end where the block behind the run would begin
  WARPAES_HOST_DEVICE static void end_run(Thread& thread, const uint32_t* last, uint8_t* end) {
    if (thread.lane() != kWarpLanes - 1) return;
    const Columns block{last[0], last[1], last[2], last[3]};
    store_between(chunk_place(end), joined(block, {0, 0, 0, 0}, 0 - low_bits(end)), 0, low_bits(end) % 16);
  }

 private:
  static constexpr uint32_t kRows = 8;

  WARPAES_HOST_DEVICE uint32_t offset(uint32_t row) const { return (warp_.lane() + kWarpLanes * row) * 16; }
  WARPAES_HOST_DEVICE static uint8_t* chunk_place(uint8_t* block) { return block - low_bits(block) % 16; }

  const WholeWarp<Thread> warp_;
  uint32_t* const last_;
  const uint8_t* const in_;
  uint8_t* const out_;
  const bool begins_run_;
  Columns before_{0, 0, 0, 0};  // this lane's block of the row before, which counts in the last lane
};

}  // namespace warpaes::core
