// Counter caching for a lane that walks through one message, whichever of its blocks are the lane's.
//
// A window is 256 counters that differ in their last byte only. In round 1 that byte reaches column 0, and
// in round 2 that column needs 4 look-ups: so a block costs 5 look-ups of the 32 of its first two rounds,
// a window 5 more, and 22 are made once a message. See warp/cached_counters.hpp for positions that repeat.
#pragma once

#include "kernels/warp/counter_shares.hpp"

namespace warpaes::core {

/// @tparam Nonce () -> Columns: the counter block, of which the last word is not looked at. Asked again now
///         and then, which is cheaper than to keep it in registers.
template <int Tables, class Nonce>
class MessageCounters {
 public:
  /// @param counter one of the first row group's, the highest that will be asked for
  WARPAES_HOST_DEVICE MessageCounters(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                      const Nonce& nonce, uint32_t counter)
      : tables_(tables), keys_(keys), nonce_(nonce), window_(counter >> 8) {
    const Columns block = nonce();
    const uint32_t a = block.a ^ keys.word[0], b = block.b ^ keys.word[1], c = block.c ^ keys.word[2];
    column0_ = tables.t0(a) ^ tables.t1(b) ^ tables.t2(c) ^ keys.word[4];
    column1_ = tables.t0(b) ^ tables.t1(c) ^ tables.t3(a) ^ keys.word[5];
    compute_upper_16_bits();
    after_ = before_ = share_of_window();
  }

  /// Before the blocks of a row group are asked for.
  /// @param highest the highest counter among them: less than 256 above the lowest, and above the last
  ///        group's highest
  WARPAES_HOST_DEVICE void start_rows(uint32_t highest) {
    if (highest >> 8 == window_) return;
    window_ = highest >> 8;
    before_ = after_;
    if ((window_ & 255) == 0) compute_upper_16_bits();
    after_ = share_of_window();
  }

  /// The state of the block with that counter after two rounds.
  WARPAES_HOST_DEVICE Columns after_two_rounds(uint32_t counter) const {
    const uint32_t column = column0_ ^ tables_.t3((counter << 24) ^ keys_.word[3]);
    const Columns share = counter >> 8 == window_ ? after_ : before_;
    return share ^ Columns{tables_.t0(column), tables_.t3(column), tables_.t2(column), tables_.t1(column)};
  }

 private:
  WARPAES_HOST_DEVICE uint32_t last_word() const { return reverse_bytes(window_ << 8) ^ keys_.word[3]; }

  /// Round 2 of what the counter's bytes 0 to 2 reach, round keys included.
  WARPAES_HOST_DEVICE Columns share_of_window() const {
    return of_upper_16_bits_ ^ share_of_byte_14(tables_, column1_, last_word());
  }

  WARPAES_HOST_DEVICE void compute_upper_16_bits() {
    of_upper_16_bits_ = share_of_upper_16_bits(tables_, keys_, nonce_(), last_word());
  }

  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const Nonce& nonce_;
  uint32_t window_;             // the one that after_ is of; before_ is of the one before it
  uint32_t column0_, column1_;  // round 1 without the counter's bytes 3 and 2, round keys included
  Columns of_upper_16_bits_, before_, after_;
};

}  // namespace warpaes::core
