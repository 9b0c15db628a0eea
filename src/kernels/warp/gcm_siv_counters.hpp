// Counter caching for GCM-SIV (RFC 8452 section 4). The first four bytes of its counter block count,
// little-endian, and they may begin with any number, since the tag is the first counter.
//
// A window is 256 counters that differ in their first byte only. Round 1 takes that byte to column 0, and
// round 2 takes it with four look-ups to all columns. So the first two rounds of a block take 5 look-ups
// instead of 32. From window to window the second byte changes, which reaches column 3 in the same way: a
// window takes 5 more for each lane, and 16 more where the upper 16 bits change.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// The first counter block: the tag with its highest bit set.
WARPAES_HOST_DEVICE Columns siv_first_counter(Columns tag) {
  tag.d |= 0x80000000u;
  return tag;
}

/// @tparam First () -> Columns: the counter block of the message's first block. It is called again now and
///        then, which is cheaper than to keep its result in registers
template <int Tables, class First>
class SivCounters {
 public:
  /// @param lowest the lowest counter that will be asked for before the first start_rows(), as a number
  WARPAES_HOST_DEVICE SivCounters(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                  const First& first_block, uint32_t lowest)
      : tables_(tables), keys_(keys), first_block_(first_block), window_(lowest >> 8) {
    const Columns first = first_block();
    const uint32_t b = first.b ^ keys.word[1], c = first.c ^ keys.word[2], d = first.d ^ keys.word[3];
    column0_ = tables.t1(b) ^ tables.t2(c) ^ tables.t3(d) ^ keys.word[4];
    column3_ = tables.t0(d) ^ tables.t2(b) ^ tables.t3(c) ^ keys.word[7];
    compute_upper_16_bits();
    after_ = before_ = share_of_window();
  }

  /// To be called before the blocks of a group of rows are asked for, with the same argument in all lanes of
  /// a team, so that they do the look-ups of a window together.
  /// @param highest the highest counter of the group: less than 256 above the lowest, and at most 256 above
  ///        the highest of the group before
  WARPAES_HOST_DEVICE void start_rows(uint32_t highest) {
    if (highest >> 8 == window_) return;
    window_ = highest >> 8;
    before_ = after_;
    if ((window_ & 255) == 0) compute_upper_16_bits();
    after_ = share_of_window();
  }

  /// The state after two rounds of the block with that counter.
  WARPAES_HOST_DEVICE Columns after_two_rounds(uint32_t counter) const {
    const uint32_t column = column0_ ^ tables_.t0(counter ^ keys_.word[0]);
    const Columns share = counter >> 8 == window_ ? after_ : before_;
    return share ^ Columns{tables_.t0(column), tables_.t3(column), tables_.t2(column), tables_.t1(column)};
  }

 private:
  WARPAES_HOST_DEVICE uint32_t first_word() const { return (window_ << 8) ^ keys_.word[0]; }

  /// Round 2 of what all bytes of the counter but the first reach; the round keys are included.
  WARPAES_HOST_DEVICE Columns share_of_window() const {
    const uint32_t column = column3_ ^ tables_.t1(first_word());
    return of_upper_16_bits_ ^
           Columns{tables_.t3(column), tables_.t2(column), tables_.t1(column), tables_.t0(column)};
  }

  /// Round 2 of columns 1 and 2, which the upper 16 bits of the counter reach.
  WARPAES_HOST_DEVICE void compute_upper_16_bits() {
    const Columns first = first_block_();
    const uint32_t a = first_word(), b = first.b ^ keys_.word[1], c = first.c ^ keys_.word[2],
                   d = first.d ^ keys_.word[3];
    const uint32_t x = tables_.column(b, c, d, a) ^ keys_.word[5],
                   y = tables_.column(c, d, a, b) ^ keys_.word[6];
    of_upper_16_bits_ = {
        tables_.t1(x) ^ tables_.t2(y) ^ keys_.word[8], tables_.t0(x) ^ tables_.t1(y) ^ keys_.word[9],
        tables_.t0(y) ^ tables_.t3(x) ^ keys_.word[10], tables_.t2(x) ^ tables_.t3(y) ^ keys_.word[11]};
  }

  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const First& first_block_;
  uint32_t window_;             // the window of after_; before_ is of the window before
  uint32_t column0_, column3_;  // round 1 without bytes 0 and 1 of the counter; the round keys are included
  Columns of_upper_16_bits_, before_, after_;
};

}  // namespace warpaes::core
