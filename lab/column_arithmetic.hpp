// MixColumns by arithmetic, four bytes at once: FIPS 197 sections 5.1.3 and 5.3.3 for a column in a word, row
// 0 in the low bits.
#pragma once

#include "lab/t_table_rounds.hpp"
#include "primitives/columns.hpp"

namespace warpaes::core::lab {

/// Multiplies each byte by x in GF(2^8) (section 4.2): a shift, and an XOR with 0x1b where a bit fell out.
WARPAES_HOST_DEVICE uint32_t times_x_each(uint32_t word) {
  return ((word & 0x7f7f7f7f) << 1) ^ (spread_top_bits(word) & 0x1b1b1b1b);
}

/// Row r becomes 2 a[r] + 3 a[r + 1] + a[r + 2] + a[r + 3]. A rotation to the left by 24 bits brings row r +
/// 1 to the place of row r.
WARPAES_HOST_DEVICE uint32_t mix_column(uint32_t a) {
  const uint32_t next = rotate_left(a, 24);
  return times_x_each(a ^ next) ^ next ^ rotate_left(a, 16) ^ rotate_left(a, 8);
}

/// The inverse matrix (14, 11, 13, 9) is the matrix (2, 3, 1, 1) of MixColumns times (5, 0, 4, 0), both taken
/// as polynomials modulo y^4 + 1.
WARPAES_HOST_DEVICE uint32_t inverse_mix_column(uint32_t a) {
  return mix_column(a ^ times_x_each(times_x_each(a ^ rotate_left(a, 16))));
}

}  // namespace warpaes::core::lab
