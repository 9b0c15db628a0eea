// The cipher on one block by four neighbouring lanes, for what a team of lanes needs once for a message.
//
// Each lane has a column of the state. In a round it gets the other three by shuffles and looks up 4 words,
// so that a round takes 7 accesses to shared memory's data path. If every lane did all of the block, as lanes
// do that have blocks of their own, a round would take 16, of which all but one lane's are of no use. Timing
// class: conflict-free, as that of the tables.
#pragma once

#include "kernels/policy.hpp"
#include "primitives/columns.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core {

/// Every four lanes encrypt a block together. All lanes of the warp call.
/// @param block the same in lanes 4 i to 4 i + 3, for every i
/// @param keys likewise
/// @return the encrypted block, in all four lanes
template <int Rounds, class Lane, class Thread>
WARPAES_HOST_DEVICE Columns encrypt_by_four_lanes(Thread& thread, const Lane& tables, Columns block,
                                                  const RoundKeys& keys) {
  const uint32_t own = thread.lane() % 4, first = thread.lane() - own;
  const auto column_behind = [&](uint32_t column, uint32_t distance) {
    return static_cast<uint32_t>(thread.shuffle(column, first + (own + distance) % 4));
  };
  const uint32_t low = own == 0 ? block.a : block.b, high = own == 2 ? block.c : block.d;
  uint32_t s = (own < 2 ? low : high) ^ keys.word[own];
  WARPAES_KEEP_ROLLED
  for (uint32_t r = 1; r < Rounds; r++) {
    const uint32_t x = column_behind(s, 1), y = column_behind(s, 2), z = column_behind(s, 3);
    s = tables.column(s, x, y, z) ^ keys.word[4 * r + own];
  }
  const uint32_t x = column_behind(s, 1), y = column_behind(s, 2), z = column_behind(s, 3);
  s = tables.last_column(s, x, y, z) ^ keys.word[4 * Rounds + own];
  const auto column = [&](uint32_t number) {
    return static_cast<uint32_t>(thread.shuffle(s, first + number));
  };
  return {column(0), column(1), column(2), column(3)};
}

}  // namespace warpaes::core
