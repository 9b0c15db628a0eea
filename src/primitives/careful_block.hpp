// One block on the CPU without a table or a branch that secrets choose: for the hash key of GCM and the
// subkeys of CMAC, which belong to keys whose bulk work has no such leak either. 3 µs or so.
#pragma once

#include "primitives/byte_order.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/sbox_circuit.hpp"

namespace warpaes::core {
namespace careful {

/// SubBytes of four columns: their 16 bytes' bits, plane by plane, through the circuit.
inline void substitute(uint32_t (&column)[4]) {
  uint32_t plane[8] = {};
  for (int i = 0; i < 16; i++) {
    for (int bit = 0; bit < 8; bit++) plane[bit] |= (column[i / 4] >> (8 * (i % 4) + bit) & 1) << i;
  }
  sbox_circuit(plane);
  for (int i = 0; i < 4; i++) column[i] = 0x63636363;
  for (int i = 0; i < 16; i++) {
    for (int bit = 0; bit < 8; bit++) column[i / 4] ^= (plane[bit] >> i & 1) << (8 * (i % 4) + bit);
  }
}

inline uint32_t rotate(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

/// MixColumns of one column, row 0 in the low bits: 2 a0 + 3 a1 + a2 + a3, and so on down the rows.
inline uint32_t mix(uint32_t column) {
  const uint32_t carries = column >> 7 & 0x01010101u;
  const uint32_t doubled = (column << 1 & 0xfefefefeu) ^ carries * 0x1b;
  return doubled ^ rotate(column ^ doubled, 8) ^ rotate(column, 16) ^ rotate(column, 24);
}

}  // namespace careful

/// Cipher(), FIPS 197 section 5.1. @param keys KeySchedule::encryption() @param input,output 16 bytes each,
/// may be the same
inline void careful_block(const RoundKeys& keys, int rounds, const uint8_t* input, uint8_t* output) {
  uint32_t state[4], shifted[4];
  for (int c = 0; c < 4; c++) state[c] = load_le32(input + 4 * c) ^ keys.word[c];
  for (int round = 1; round <= rounds; round++) {
    careful::substitute(state);
    for (int c = 0; c < 4; c++) {  // ShiftRows: row r of column c comes from column c + r
      shifted[c] = (state[c] & 0xff) | (state[(c + 1) % 4] & 0xff00) | (state[(c + 2) % 4] & 0xff0000) |
                   (state[(c + 3) % 4] & 0xff000000);
    }
    for (int c = 0; c < 4; c++) {
      state[c] = (round < rounds ? careful::mix(shifted[c]) : shifted[c]) ^ keys.word[4 * round + c];
    }
  }
  for (int c = 0; c < 4; c++) store_le32(output + 4 * c, state[c]);
}

}  // namespace warpaes::core
