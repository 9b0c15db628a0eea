// Counter caching for a lane that walks through one message, whichever of its blocks the lane has.
//
// A window is 256 counters that differ in their last byte only. In round 1 that byte reaches column 0, and in
// round 2 that column takes 4 look-ups. So the first two rounds of a block take 5 look-ups instead of 32; a
// window takes 5 more, and a message 22 once. For positions that repeat from group to group there is
// warp/cached_counters.hpp.
#pragma once

#include "kernels/warp/counter_shares.hpp"

namespace warpaes::core {

/// @tparam Nonce () -> Columns: the counter block, whose last word does not matter. It is called again now
///        and then, which is cheaper than to keep its result in registers
/// @tparam Keys RoundKeys, or what has its words
template <int Tables, class Nonce, class Keys = RoundKeys>
class MessageCounters {
 public:
  /// @param counter a counter of the first group of rows, the highest that will be asked for
  WARPAES_HOST_DEVICE MessageCounters(const LanePrivateTables<Tables>& tables, const Keys& keys,
                                      const Nonce& nonce, uint32_t counter)
      : tables_(tables), keys_(keys), nonce_(nonce), window_(counter >> 8) {
    const Columns block = nonce();
    const uint32_t a = block.a ^ keys.word[0], b = block.b ^ keys.word[1], c = block.c ^ keys.word[2];
    column0_ = tables.t0(a) ^ tables.t1(b) ^ tables.t2(c) ^ keys.word[4];
    column1_ = tables.t0(b) ^ tables.t1(c) ^ tables.t3(a) ^ keys.word[5];
    compute_upper_16_bits();
    after_ = before_ = share_of_window();
  }

  /// The same for callers that do not call start_rows(): lanes that find by themselves that a window begins.
  /// @param counter in the window of the counter before, or in the next window
  WARPAES_HOST_DEVICE Columns after_two_rounds_of(uint32_t counter) {
    if (counter >> 8 != window_) {
      window_ = counter >> 8;
      if ((window_ & 255) == 0) compute_upper_16_bits();
      after_ = share_of_window();
    }
    const uint32_t column = column0_ ^ tables_.t3((counter << 24) ^ keys_.word[3]);
    return after_ ^ Columns{tables_.t0(column), tables_.t3(column), tables_.t2(column), tables_.t1(column)};
  }

  /// To be called before the blocks of a group of rows are asked for.
  /// @param highest the highest counter of the group: less than 256 above the lowest, and above the highest
  ///        of the group before
  WARPAES_HOST_DEVICE void start_rows(uint32_t highest) {
    if (highest >> 8 == window_) return;
    window_ = highest >> 8;
    before_ = after_;
    if ((window_ & 255) == 0) compute_upper_16_bits();
    after_ = share_of_window();
  }

  /// The state after two rounds of the block with that counter.
  WARPAES_HOST_DEVICE Columns after_two_rounds(uint32_t counter) const {
    const uint32_t column = column0_ ^ tables_.t3((counter << 24) ^ keys_.word[3]);
    const Columns share = counter >> 8 == window_ ? after_ : before_;
    return share ^ Columns{tables_.t0(column), tables_.t3(column), tables_.t2(column), tables_.t1(column)};
  }

 private:
  WARPAES_HOST_DEVICE uint32_t last_word() const { return reverse_bytes(window_ << 8) ^ keys_.word[3]; }

  /// Round 2 of what bytes 0 to 2 of the counter reach; the round keys are included.
  WARPAES_HOST_DEVICE Columns share_of_window() const {
    return of_upper_16_bits_ ^ share_of_byte_14(tables_, column1_, last_word());
  }

  WARPAES_HOST_DEVICE void compute_upper_16_bits() {
    of_upper_16_bits_ = share_of_upper_16_bits(tables_, keys_, nonce_(), last_word());
  }

  const LanePrivateTables<Tables>& tables_;
  const Keys& keys_;
  const Nonce& nonce_;
  uint32_t window_;             // the window of after_; before_ is of the window before
  uint32_t column0_, column1_;  // round 1 without bytes 3 and 2 of the counter; the round keys are included
  Columns of_upper_16_bits_, before_, after_;
};

}  // namespace warpaes::core
