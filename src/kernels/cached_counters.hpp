// Counter caching: what of the first two rounds of CTR's blocks need not be computed for each block.
//
// Blocks come in groups of 256, the positions of a group are dealt out to threads for good, and a
// thread's counters differ from group to group by 256: their last byte never changes. In round 1 that
// byte reaches column 0 only, and in round 2 that column needs 4 look-ups, whose results a thread keeps
// in registers for the whole message. The counter's other bytes need 5 look-ups a group for all of a
// thread's blocks (15 when the upper 16 bits change). In a group that begins at a counter whose last
// byte is not 0, the positions behind the carry use the next group's share.
//
// Source: counter-mode caching, Bernstein and Schwabe, "New AES software speed records", 2008.
#pragma once

#include "kernels/block_access.hpp"
#include "kernels/ghash_lanes.hpp"

namespace warpaes {

/// @tparam Initial () -> Columns: counter of the message's block 0, as loaded; its last 32 bits count,
/// and wrap. Asked again now and then, which is cheaper than to keep it in registers.
template <int Tables, class Initial>
class CachedCounters {
 public:
  /// @param position this thread's first position in a group; the others are 32, 64 and 96 further
  /// @param group the first that start_group() will be called for; later calls go up by one
  WARPAES_HOST_DEVICE CachedCounters(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                     const Initial& initial_counter, uint32_t position, uint32_t group)
      : tables_(tables), keys_(keys), initial_counter_(initial_counter) {
    const Columns initial = initial_counter();
    const uint32_t a = initial.a ^ keys.word[0], b = initial.b ^ keys.word[1], c = initial.c ^ keys.word[2];
    const uint32_t column0 = tables.t0(a) ^ tables.t1(b) ^ tables.t2(c) ^ keys.word[4];
    column1_ = tables.t0(b) ^ tables.t1(c) ^ tables.t3(a) ^ keys.word[5];

    const uint32_t start = reverse_bytes(initial.d);
    last_byte_ = (start & 255) + position;
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const uint32_t column = column0 ^ tables.t3(((last_byte_ + kWarpLanes * k) << 24) ^ keys.word[3]);
      of_last_byte_[k] = {tables.t0(column), tables.t3(column), tables.t2(column), tables.t1(column)};
    }
    compute_upper_16_bits(reverse_bytes(upper_bytes(group)) ^ keys.word[3]);
    next_ = share_of(upper_bytes(group));
  }

  WARPAES_HOST_DEVICE void start_group(uint32_t group) {
    current_ = next_;
    next_ = share_of(upper_bytes(group + 1));
  }

  /// The state of the thread's k-th block of the group after two rounds; k goes up from 0.
  WARPAES_HOST_DEVICE Columns after_two_rounds(uint32_t k) {
    if (last_byte_ + kWarpLanes * k >= kGroupBlocks) current_ = next_;
    return current_ ^ of_last_byte_[k];
  }

 private:
  /// The counter at a group's beginning, but for its last byte.
  WARPAES_HOST_DEVICE uint32_t upper_bytes(uint32_t group) const {
    return (reverse_bytes(initial_counter_().d) & ~255u) + group * kGroupBlocks;
  }

  /// Round 2 of what the counter's bytes 0 to 2 reach, round keys included.
  WARPAES_HOST_DEVICE Columns share_of(uint32_t upper) {
    const uint32_t d = reverse_bytes(upper) ^ keys_.word[3];
    if ((upper & 0xffff) == 0) compute_upper_16_bits(d);
    const uint32_t column = column1_ ^ tables_.t2(d);
    return of_upper_16_bits_ ^
           Columns{tables_.t1(column), tables_.t0(column), tables_.t3(column), tables_.t2(column)};
  }

  WARPAES_HOST_DEVICE void compute_upper_16_bits(uint32_t d) {
    const Columns initial = initial_counter_();
    const uint32_t a = initial.a ^ keys_.word[0], b = initial.b ^ keys_.word[1],
                   c = initial.c ^ keys_.word[2];
    const uint32_t e = tables_.t0(c) ^ tables_.t1(d) ^ tables_.t2(a) ^ tables_.t3(b) ^ keys_.word[6];
    const uint32_t f = tables_.t0(d) ^ tables_.t1(a) ^ tables_.t2(b) ^ tables_.t3(c) ^ keys_.word[7];
    of_upper_16_bits_ = {
        tables_.t2(e) ^ tables_.t3(f) ^ keys_.word[8], tables_.t1(e) ^ tables_.t2(f) ^ keys_.word[9],
        tables_.t0(e) ^ tables_.t1(f) ^ keys_.word[10], tables_.t3(e) ^ tables_.t0(f) ^ keys_.word[11]};
  }

  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const Initial& initial_counter_;
  uint32_t last_byte_;  // of the first position's counter, plus 256 if that has carried
  uint32_t column1_;    // round 1 but for the counter's byte 2, round key included
  Columns of_last_byte_[kThreadBlocks];
  Columns of_upper_16_bits_, current_, next_;
};

}  // namespace warpaes
