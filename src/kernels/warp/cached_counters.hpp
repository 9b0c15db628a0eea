// Counter caching: the part of the first two rounds of CTR that need not be computed anew for each block.
//
// Blocks come in groups of 256 whose counters differ in their last byte only, and a thread has the same last
// bytes in every group. In round 1 that byte reaches column 0 only. In round 2 that column takes 4 look-ups,
// whose results a thread keeps in registers for the whole message. The other bytes of the counter take 5
// look-ups a group for all of a thread's blocks (21 when the upper 16 bits change).
//
// Source: counter-mode caching, Bernstein and Schwabe, "New AES software speed records", 2008.
#pragma once

#include "kernels/warp/counter_shares.hpp"
#include "kernels/warp/ghash.hpp"

namespace warpaes::core {

/// @tparam Blocks how many blocks of a group a thread has
/// @tparam Initial () -> Columns: the message's first counter, as it was loaded; its last 32 bits count, and
///        wrap. It is called again now and then, which is cheaper than to keep its result in registers
template <int Tables, uint32_t Blocks, class Initial>
class CachedCounters {
 public:
  /// @param position this thread's first position in a group; each of its others is 32 behind the one before
  /// @param group the last 32 bits of the counter at position 0 of a group; start_group() is called
  ///        with this or a later one
  WARPAES_HOST_DEVICE CachedCounters(const LanePrivateTables<Tables>& tables, const RoundKeys& keys,
                                     const Initial& initial_counter, uint32_t position, uint32_t group)
      : tables_(tables), keys_(keys), initial_counter_(initial_counter) {
    const Columns initial = initial_counter();
    const uint32_t a = initial.a ^ keys.word[0], b = initial.b ^ keys.word[1], c = initial.c ^ keys.word[2];
    const uint32_t column0 = tables.t0(a) ^ tables.t1(b) ^ tables.t2(c) ^ keys.word[4];
    column1_ = tables.t0(b) ^ tables.t1(c) ^ tables.t3(a) ^ keys.word[5];
    WARPAES_UNROLL
    for (uint32_t k = 0; k < Blocks; k++) {
      const uint32_t column = column0 ^ tables.t3(((position + kWarpLanes * k) << 24) ^ keys.word[3]);
      of_last_byte_[k] = {tables.t0(column), tables.t3(column), tables.t2(column), tables.t1(column)};
    }
    of_upper_16_bits_ = share_of_upper_16_bits(tables, keys, initial, reverse_bytes(group) ^ keys.word[3]);
  }

  WARPAES_HOST_DEVICE void start_group(uint32_t group) {
    const uint32_t d = reverse_bytes(group) ^ keys_.word[3];
    if ((group & 0xffff) == 0) {
      of_upper_16_bits_ = share_of_upper_16_bits(tables_, keys_, initial_counter_(), d);
    }
    of_group_ = of_upper_16_bits_ ^ share_of_byte_14(tables_, column1_, d);
  }

  /// The state of the thread's k-th block of the group after two rounds, round keys included.
  WARPAES_HOST_DEVICE Columns after_two_rounds(uint32_t k) const { return of_group_ ^ of_last_byte_[k]; }

 private:
  const LanePrivateTables<Tables>& tables_;
  const RoundKeys& keys_;
  const Initial& initial_counter_;
  uint32_t column1_;  // of round 1, but for byte 2 of the counter; the round key is included
  Columns of_last_byte_[Blocks];
  Columns of_upper_16_bits_, of_group_;
};

}  // namespace warpaes::core
