// AES by T-tables, whatever memory they and the round keys lie in: a lesson gives the look-ups, the equations
// are here. They are those of Daemen and Rijmen's AES proposal, section 5.2.1: a column is a word, and
//
//     column c  <-  T0[row 0 of column c] ^ T1[row 1 of column c + 1] ^ T2[row 2 of column c + 2]
//                   ^ T3[row 3 of column c + 3] ^ round key word c
//
// does SubBytes, ShiftRows (the columns taken), MixColumns (the tables' contents) and AddRoundKey. Decryption
// takes columns c - 1, c - 2, c - 3 and the inverse tables: the equivalent inverse cipher, FIPS 197 5.3.5.
#pragma once

#include "lab/cipher_arguments.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::lab {

template <int Row>
WARPAES_HOST_DEVICE uint32_t byte_of(uint32_t column) {
  return (column >> (8 * Row)) & 0xff;
}

WARPAES_HOST_DEVICE uint32_t rotate_left(uint32_t word, int bits) {
  return bits == 0 ? word : word << bits | word >> (32 - bits);
}

/// @tparam Tables  template <int Row> uint32_t t(uint32_t byte) const: T_Row, or its inverse
///                 uint32_t box(uint32_t byte) const: the S-box, or its inverse, which the last round needs
/// @param key      word (int) -> uint32_t of the round keys
template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_block(const Tables& tables, const Key& key, int rounds, Columns s) {
  const auto mixed = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return tables.template t<0>(byte_of<0>(w)) ^ tables.template t<1>(byte_of<1>(x)) ^
           tables.template t<2>(byte_of<2>(y)) ^ tables.template t<3>(byte_of<3>(z));
  };
  const auto last = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return tables.box(byte_of<0>(w)) | tables.box(byte_of<1>(x)) << 8 | tables.box(byte_of<2>(y)) << 16 |
           tables.box(byte_of<3>(z)) << 24;
  };
  const auto round = [&](const auto& column, int first) -> Columns {
    if constexpr (Inverse) {
      return {column(s.a, s.d, s.c, s.b) ^ key(first), column(s.b, s.a, s.d, s.c) ^ key(first + 1),
              column(s.c, s.b, s.a, s.d) ^ key(first + 2), column(s.d, s.c, s.b, s.a) ^ key(first + 3)};
    } else {
      return {column(s.a, s.b, s.c, s.d) ^ key(first), column(s.b, s.c, s.d, s.a) ^ key(first + 1),
              column(s.c, s.d, s.a, s.b) ^ key(first + 2), column(s.d, s.a, s.b, s.c) ^ key(first + 3)};
    }
  };
  s = s ^ Columns{key(0), key(1), key(2), key(3)};
  WARPAES_KEEP_ROLLED
  for (int r = 1; r < rounds; r++) s = round(mixed, 4 * r);
  return round(last, 4 * rounds);
}

}  // namespace warpaes::lab
