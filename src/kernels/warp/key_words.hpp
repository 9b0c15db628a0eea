// A key in a lane's registers, and how a lane expands it (FIPS 197 section 5.2).
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// A key as it lies in memory, as words.
/// @tparam Words 4, 6 or 8 (Nk)
template <int Words>
struct KeyWords {
  uint32_t word[Words];

  WARPAES_HOST_DEVICE explicit KeyWords(const uint8_t* from) {
    const Columns first = load_bytes(from, 16), second = load_bytes(from + 16, 4 * Words - 16);
    word[0] = first.a, word[1] = first.b, word[2] = first.c, word[3] = first.d;
    if constexpr (Words > 4) word[4] = second.a, word[5] = second.b;
    if constexpr (Words > 6) word[6] = second.c, word[7] = second.d;
  }
};

/// What KeyExpansion() adds to word i - Words of the schedule, which makes word i of them.
/// @param word word i - 1
/// @param constant the round constant; 1 at first
/// @tparam Lane LanePrivateTables or LanePrivateSbox
template <int Words, class Lane>
WARPAES_HOST_DEVICE uint32_t key_expansion_step(const Lane& tables, uint32_t word, int i,
                                                uint32_t& constant) {
  if (i % Words == 0) {
    word = word >> 8 | word << 24;  // RotWord(); byte 0 of the word is in its low bits
    word = tables.last_column(word, word, word, word) ^ constant;
    constant = constant << 1 ^ (constant >> 7) * 0x11b;
  } else if (Words > 6 && i % Words == 4) {
    word = tables.last_column(word, word, word, word);
  }
  return word;
}

}  // namespace warpaes::core
