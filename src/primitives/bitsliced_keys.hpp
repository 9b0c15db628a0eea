// Round keys in the form that bitsliced_rounds.hpp adds them in. Host only.
#pragma once

#include "primitives/bitsliced_rounds.hpp"

namespace warpaes {

/// A round's key as masks, bit by bit: each byte 0x00 or 0xff.
inline SlicedState sliced_key(const uint32_t* round_key, uint32_t constant) {
  return slice_repeated(
      {round_key[0] ^ constant, round_key[1] ^ constant, round_key[2] ^ constant, round_key[3] ^ constant});
}

/// The form that mix_columns_and_add_key() takes. There, bit b of a result's row r gets the key words of
/// t_r[b - 1] and t_(r+2)[b], and of t_r[7] where the product is reduced: so the words follow from each
/// other, from bits 2 and 5 on, whose lower neighbours have none.
inline SlicedState spread_over_mix_columns(const SlicedState& key) {
  SlicedState k{};
  const auto of = [](SlicedState& s, int row, int bit) -> uint32_t& {
    return s.word[sliced_index(row, bit)];
  };
  const auto result = [&key](int row, int bit) { return key.word[sliced_index(row, bit)]; };
  for (const int bit : {2, 5, 6, 7, 0}) {
    const int lower = (bit + 7) % 8;
    for (int r = 0; r < 4; r++) {
      of(k, r + 2, bit) = result(r, bit) ^ (takes_reduction(lower) ? 0 : of(k, r, lower));
    }
  }
  for (const int bit : {1, 3, 4}) {
    const int lower = (bit + 7) % 8;
    for (int r = 0; r < 4; r++) {
      of(k, r, bit) = result(r, bit) ^ (takes_reduction(lower) ? 0 : of(k, r, lower)) ^ of(k, r, 7);
    }
  }
  return k;
}

/// @param schedule KeySchedule::encryption()
inline void fill_sliced_keys(SlicedKeys& keys, const RoundKeys& schedule, int rounds) {
  // sbox_circuit() leaves out 0x63, which MixColumns maps to itself: its factors add up to 1.
  constexpr uint32_t kConstant = 0x63636363;
  for (int r = 0; r <= rounds; r++) {
    SlicedState key = sliced_key(schedule.word + 4 * r, r == 0 ? 0 : kConstant);
    if (r != 0 && r != rounds) key = spread_over_mix_columns(key);
    for (int i = 0; i < kSlicedWords; i++) keys.word[kSlicedWords * r + i] = key.word[i];
  }
}

}  // namespace warpaes
