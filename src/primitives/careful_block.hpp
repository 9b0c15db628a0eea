// One block on the CPU without a table or a branch that secrets choose: for the hash key of GCM and the
// subkeys of CMAC, which belong to keys whose bulk work has no such leak either. It takes a microsecond or
// so.
#pragma once

#include <cstddef>
#include <span>

#include "primitives/byte_order.hpp"
#include "primitives/careful_sbox.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/mixed_columns.hpp"

namespace warpaes::core {
namespace careful {

/// ShiftRows of one block: row r of column c comes from column c + r.
inline void shift_rows(uint32_t* column) {
  const uint32_t from[4] = {column[0], column[1], column[2], column[3]};
  for (int c = 0; c < 4; c++) {
    column[c] = (from[c] & 0xff) | (from[(c + 1) % 4] & 0xff00) | (from[(c + 2) % 4] & 0xff0000) |
                (from[(c + 3) % 4] & 0xff000000);
  }
}

/// Cipher(), FIPS 197 section 5.1, of one block or two that follow each other.
template <int Blocks>
void encrypt(const RoundKeys& keys, int rounds, const uint8_t* input, uint8_t* output) {
  uint32_t state[4 * Blocks];
  for (int c = 0; c < 4 * Blocks; c++) state[c] = load_le32(input + 4 * c) ^ keys.word[c % 4];
  for (int round = 1; round <= rounds; round++) {
    substitute<2 * Blocks>(state);
    for (int block = 0; block < Blocks; block++) shift_rows(state + 4 * block);
    for (int c = 0; c < 4 * Blocks; c++) {
      state[c] = (round < rounds ? mixed_column(state[c]) : state[c]) ^ keys.word[4 * round + c % 4];
    }
  }
  for (int c = 0; c < 4 * Blocks; c++) store_le32(output + 4 * c, state[c]);
}

}  // namespace careful

/// Cipher(), FIPS 197 section 5.1. @param keys KeySchedule::encryption() @param input,output 16 bytes each,
/// may be the same
inline void careful_block(const RoundKeys& keys, int rounds, const uint8_t* input, uint8_t* output) {
  careful::encrypt<1>(keys, rounds, input, output);
}

/// The same for blocks that follow each other, in place. Two at a time take little longer than one.
/// @param blocks whole blocks, any number of them
inline void careful_blocks(const RoundKeys& keys, int rounds, std::span<uint8_t> blocks) {
  size_t at = 0;
  for (; at + 32 <= blocks.size(); at += 32) careful::encrypt<2>(keys, rounds, &blocks[at], &blocks[at]);
  if (at < blocks.size()) careful_block(keys, rounds, &blocks[at], &blocks[at]);
}

}  // namespace warpaes::core
