// Key expansion, FIPS 197 section 5.2. Nothing here looks a secret up in a table by its address or branches
// on it, so that the schedule is no leak beside an engine that has none.
#pragma once

#include <cstdint>

#include "primitives/byte_order.hpp"
#include "primitives/careful_sbox.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {

namespace key_expansion {

/// SubWord(), equation 5.11.
inline uint32_t sub_word(uint32_t word) {
  uint32_t words[2] = {word, 0};
  careful::substitute<1>(words);
  return words[0];
}

/// RotWord(), equation 5.10: [a0, a1, a2, a3] becomes [a1, a2, a3, a0]; a0 is in the low bits.
inline uint32_t rotate_word(uint32_t word) { return word >> 8 | word << 24; }

}  // namespace key_expansion

/// KeyExpansion(), algorithm 2. @param key 4 * key_words bytes @param key_words 4, 6 or 8 (Nk)
inline void expand_key(const uint8_t* key, int key_words, RoundKeys& schedule) {
  using namespace key_expansion;
  const int rounds = key_words + 6;
  uint32_t* const w = schedule.word;
  for (int i = 0; i < key_words; i++) w[i] = load_le32(key + 4 * i);

  uint8_t round_constant = 1;
  int phase = 0;  // i modulo Nk
  for (int i = key_words; i < 4 * (rounds + 1); i++) {
    uint32_t word = w[i - 1];
    if (phase == 0) {
      word = sub_word(rotate_word(word)) ^ round_constant;
      round_constant = times_x(round_constant);
    } else if (key_words > 6 && phase == 4) {
      word = sub_word(word);
    }
    w[i] = w[i - key_words] ^ word;
    phase = phase + 1 == key_words ? 0 : phase + 1;
  }
}

}  // namespace warpaes::core
