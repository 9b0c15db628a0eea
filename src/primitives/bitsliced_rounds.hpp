// AES on bit planes: 8 blocks a thread, in 32 words.
//
// Layout. word[4 * bit + row] holds that bit of the state's four bytes in that row, for all 8 blocks: its
// byte c belongs to column c, and bit j of that byte to block j. So SubBytes is a circuit on the 8 words of a
// row, MixColumns takes words of the rows at the same place, ShiftRows rotates a row's words by bytes, and
// nothing depends on data but the values of words. That takes a quarter of the registers that a word for each
// of the state's 128 bits would take, and costs 24 rotations of words a round.
//
// Timing class: strict. Source: bit slicing, Biham 1997; Kaesper and Schwabe 2009, whose 8 registers of 128
// bits are these words with the rows side by side.
#pragma once

#include <cstdint>

#include "primitives/columns.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/mix_columns_circuit.hpp"
#include "primitives/sbox_circuit.hpp"

namespace warpaes::core {

constexpr int kSlicedBlocks = 8;  // a thread
constexpr int kSlicedWords = 32;  // the state of 8 blocks, or a round key for them

struct SlicedState {
  uint32_t word[kSlicedWords];
};

/// The index in SlicedState::word. Row 4 is row 0 again.
WARPAES_HOST_DEVICE constexpr int sliced_index(int row, int bit) { return 4 * bit + row % 4; }

/// Round keys for bit planes: each byte of a word is 0x00 or 0xff. All but round 0 and the last have a
/// form of their own, see bitsliced_keys.hpp. They take in the constant 0x63 that sbox_circuit() leaves out.
struct SlicedKeys {
  uint32_t word[kSlicedWords * (kMaxRounds + 1)];
  Columns first, last;  // rounds 0 and Nr once more, to be added to blocks outside of slice() and unslice()
};

/// A rotation of a row's word: byte c of the result is byte c + Row.
template <int Row>
WARPAES_HOST_DEVICE uint32_t shift_row(uint32_t word) {
  return Row == 0 ? word : word >> (8 * Row) | word << ((32 - 8 * Row) % 32);
}

/// The bits of `a` where those of the mask are 1, and the bits of `b` elsewhere.
WARPAES_HOST_DEVICE uint32_t select_bits(uint32_t mask, uint32_t a, uint32_t b) {
  return lop3<0xca>(mask, a, b);
}

template <int Row>
WARPAES_HOST_DEVICE void substitute_and_shift_row(SlicedState& s) {
  uint32_t bit[8];
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) bit[b] = s.word[sliced_index(Row, b)];
  sbox_circuit(bit);
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) s.word[sliced_index(Row, b)] = shift_row<Row>(bit[b]);
}

/// SubBytes, less its constant, and ShiftRows.
WARPAES_HOST_DEVICE void substitute_and_shift_rows(SlicedState& s) {
  substitute_and_shift_row<0>(s);
  substitute_and_shift_row<1>(s);
  substitute_and_shift_row<2>(s);
  substitute_and_shift_row<3>(s);
}

template <int Row>
WARPAES_HOST_DEVICE void inverse_shift_and_substitute_row(SlicedState& s) {
  uint32_t bit[8];
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) bit[b] = shift_row<(4 - Row) % 4>(s.word[sliced_index(Row, b)]);
  inverse_sbox_circuit(bit);
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) s.word[sliced_index(Row, b)] = bit[b];
}

/// InvShiftRows and InvSubBytes of a state that lacks the S-box's constant.
WARPAES_HOST_DEVICE void inverse_shift_and_substitute_rows(SlicedState& s) {
  inverse_shift_and_substitute_row<0>(s);
  inverse_shift_and_substitute_row<1>(s);
  inverse_shift_and_substitute_row<2>(s);
  inverse_shift_and_substitute_row<3>(s);
}

WARPAES_HOST_DEVICE void exclusive_or(SlicedState& s, const uint32_t* words) {
  WARPAES_UNROLL
  for (int i = 0; i < kSlicedWords; i++) s.word[i] ^= words[i];
}

/// Rounds `from` to `to`, of which none may be the last. The round keys of all rounds before `from` have been
/// added to the state.
WARPAES_HOST_DEVICE void sliced_rounds(SlicedState& s, const SlicedKeys& keys, int from, int to) {
  WARPAES_KEEP_ROLLED
  for (int r = from; r <= to; r++) {
    substitute_and_shift_rows(s);
    mix_columns_circuit(s.word, keys.word + kSlicedWords * r);
  }
}

/// The same of the equivalent inverse cipher, FIPS 197 section 5.3.5.
WARPAES_HOST_DEVICE void sliced_inverse_rounds(SlicedState& s, const SlicedKeys& keys, int from, int to) {
  WARPAES_KEEP_ROLLED
  for (int r = from; r <= to; r++) {
    inverse_shift_and_substitute_rows(s);
    inverse_mix_columns_circuit(s.word, keys.word + kSlicedWords * r);
  }
}

/// Swaps bit j of word i's bytes with bit i of word j's, in each of a row's 8 words: bit planes to bytes
/// and back.
WARPAES_HOST_DEVICE void transpose_bits(uint32_t (&word)[8]) {
  const auto swap = [&word](int low, int distance, uint32_t mask) {
    const uint32_t x = word[low], y = word[low + distance];
    word[low] = select_bits(mask, x, y << distance);
    word[low + distance] = select_bits(mask, x >> distance, y);
  };
  WARPAES_UNROLL
  for (int i = 0; i < 4; i++) swap(i, 4, 0x0f0f0f0f);
  WARPAES_UNROLL
  for (int i = 0; i < 4; i++) swap(i / 2 * 4 + i % 2, 2, 0x33333333);
  WARPAES_UNROLL
  for (int i = 0; i < 4; i++) swap(2 * i, 1, 0x55555555);
}

/// The state's rows, given its columns; or its columns, given its rows, as both are the same transposition.
WARPAES_HOST_DEVICE Columns transpose_bytes(Columns v) {
  const uint32_t ab_low = permute_bytes<0x5140>(v.a, v.b), ab_high = permute_bytes<0x7362>(v.a, v.b),
                 cd_low = permute_bytes<0x5140>(v.c, v.d), cd_high = permute_bytes<0x7362>(v.c, v.d);
  return {permute_bytes<0x5410>(ab_low, cd_low), permute_bytes<0x7632>(ab_low, cd_low),
          permute_bytes<0x5410>(ab_high, cd_high), permute_bytes<0x7632>(ab_high, cd_high)};
}

/// 8 blocks as they lie in memory. slice() makes bit planes of them, and unslice() makes blocks of those.
struct SlicedBlocks {
  Columns block[kSlicedBlocks];
};

WARPAES_HOST_DEVICE SlicedState slice(const SlicedBlocks& blocks) {
  SlicedState s;
  uint32_t byte[4][8];
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    const Columns rows = transpose_bytes(blocks.block[j]);
    byte[0][j] = rows.a, byte[1][j] = rows.b, byte[2][j] = rows.c, byte[3][j] = rows.d;
  }
  WARPAES_UNROLL
  for (int r = 0; r < 4; r++) {
    transpose_bits(byte[r]);
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) s.word[sliced_index(r, b)] = byte[r][b];
  }
  return s;
}

WARPAES_HOST_DEVICE SlicedBlocks unslice(const SlicedState& s) {
  SlicedBlocks blocks;
  uint32_t byte[4][8];
  WARPAES_UNROLL
  for (int r = 0; r < 4; r++) {
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) byte[r][b] = s.word[sliced_index(r, b)];
    transpose_bits(byte[r]);
  }
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    blocks.block[j] = transpose_bytes({byte[0][j], byte[1][j], byte[2][j], byte[3][j]});
  }
  return blocks;
}

/// The bit planes of 8 copies of a block. All their bytes are 0x00 or 0xff.
WARPAES_HOST_DEVICE SlicedState slice_repeated(Columns block) {
  const Columns rows = transpose_bytes(block);
  const uint32_t row[4] = {rows.a, rows.b, rows.c, rows.d};
  SlicedState s;
  WARPAES_UNROLL
  for (int r = 0; r < 4; r++) {
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) s.word[sliced_index(r, b)] = spread_top_bits(row[r] << (7 - b));
  }
  return s;
}

}  // namespace warpaes::core
