// What single bytes of the counter contribute to a block's first two rounds in CTR. cached_counters.hpp and
// message_counters.hpp keep these shares from block to block.
//
// Round 2 is linear in the columns that the tables make of the columns of round 1. So the state after two
// rounds is a sum of shares, one for each column of round 1, and a byte of the counter reaches one column
// only.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// The share of the columns that bytes 12 and 13 of the counter reach, its upper 16 bits; the round keys of
/// round 2 are included.
/// @param initial the counter block, whose last word does not matter
/// @param d the last word, with its round key added
template <int Tables, class Keys>
WARPAES_HOST_DEVICE Columns share_of_upper_16_bits(const LanePrivateTables<Tables>& tables, const Keys& keys,
                                                   Columns initial, uint32_t d) {
  const uint32_t a = initial.a ^ keys.word[0], b = initial.b ^ keys.word[1], c = initial.c ^ keys.word[2];
  const uint32_t e = tables.t0(c) ^ tables.t1(d) ^ tables.t2(a) ^ tables.t3(b) ^ keys.word[6];
  const uint32_t f = tables.t0(d) ^ tables.t1(a) ^ tables.t2(b) ^ tables.t3(c) ^ keys.word[7];
  return {tables.t2(e) ^ tables.t3(f) ^ keys.word[8], tables.t1(e) ^ tables.t2(f) ^ keys.word[9],
          tables.t0(e) ^ tables.t1(f) ^ keys.word[10], tables.t3(e) ^ tables.t0(f) ^ keys.word[11]};
}

/// The share of the column that byte 14 of the counter reaches.
/// @param column1 that column after round 1 but for this byte; the round key is included
template <int Tables>
WARPAES_HOST_DEVICE Columns share_of_byte_14(const LanePrivateTables<Tables>& tables, uint32_t column1,
                                             uint32_t d) {
  const uint32_t column = column1 ^ tables.t2(d);
  return {tables.t1(column), tables.t0(column), tables.t3(column), tables.t2(column)};
}

}  // namespace warpaes::core
