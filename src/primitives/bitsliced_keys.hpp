// Round keys in the form that bitsliced_rounds.hpp adds them in. Host only.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>
#include <utility>

#include "primitives/bitsliced_rounds.hpp"

namespace warpaes::core {

/// A round's key with a constant added to each column.
inline Columns key_columns(const uint32_t* round_key, uint32_t constant) {
  return {round_key[0] ^ constant, round_key[1] ^ constant, round_key[2] ^ constant, round_key[3] ^ constant};
}

/// What mix_columns_circuit() or its inverse makes of a state of zeros and these key words.
using MixedKey = void (*)(uint32_t (&state)[kSlicedWords], const uint32_t* key);

/// Solves `mixed` for its key words: replaces a round key by those that add up to it in the circuit's
/// results. The circuit is linear, and the same in each of a word's 32 bits, so that running it with key word
/// i = 1 << i gives the matrix of the equations, a row in each word.
inline void spread_over_circuit(MixedKey mixed, uint32_t* key) {
  uint32_t matrix[kSlicedWords] = {}, unit[kSlicedWords];
  for (int i = 0; i < kSlicedWords; i++) unit[i] = 1u << i;
  mixed(matrix, unit);
  for (int i = 0; i < kSlicedWords; i++) {  // Gauss-Jordan
    int pivot = i;
    while ((matrix[pivot] >> i & 1) == 0) pivot++;  // there is one: devtools checks the circuit's rank
    std::swap(matrix[i], matrix[pivot]);
    std::swap(key[i], key[pivot]);
    for (int row = 0; row < kSlicedWords; row++) {
      if (row == i || (matrix[row] >> i & 1) == 0) continue;
      matrix[row] ^= matrix[i];
      key[row] ^= key[i];
    }
  }
}

/// Fills in the round keys of one direction.
/// @param without_constant the number of the round key to which 0x63 is not added, because no S-box comes
///        before it or, when decrypting, after it
inline void fill_sliced_keys(SlicedKeys& keys, const RoundKeys& schedule, int rounds, MixedKey mixed,
                             int without_constant) {
  // MixColumns and its inverse map the constant to itself: their factors add up to 1.
  constexpr uint32_t kConstant = 0x63636363;
  for (int r = 0; r <= rounds; r++) {
    const Columns columns = key_columns(schedule.word + 4 * r, r == without_constant ? 0 : kConstant);
    if (r == 0) keys.first = columns;
    if (r == rounds) keys.last = columns;
    SlicedState key = slice_repeated(columns);
    std::copy_n(key.word, kSlicedWords, keys.word + kSlicedWords * r);
    OPENSSL_cleanse(&key, sizeof key);
    if (r != 0 && r != rounds) spread_over_circuit(mixed, keys.word + kSlicedWords * r);
  }
}

/// @param schedule KeySchedule::encryption()
inline void fill_sliced_keys(SlicedKeys& keys, const RoundKeys& schedule, int rounds) {
  fill_sliced_keys(keys, schedule, rounds, mix_columns_circuit, 0);
}

/// @param schedule KeySchedule::decryption()
inline void fill_sliced_decryption_keys(SlicedKeys& keys, const RoundKeys& schedule, int rounds) {
  fill_sliced_keys(keys, schedule, rounds, inverse_mix_columns_circuit, rounds);
}

}  // namespace warpaes::core
