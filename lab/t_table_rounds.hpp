// AES by T-tables, wherever the tables and the round keys lie. A lesson brings the look-ups, and the
// equations are here. They are those of Daemen and Rijmen's AES proposal, section 5.2.1. A column is a word,
// and
//
//     column c  <-  T0[row 0 of column c] ^ T1[row 1 of column c + 1] ^ T2[row 2 of column c + 2]
//                   ^ T3[row 3 of column c + 3] ^ round key word c
//
// does SubBytes, ShiftRows (by the columns that are taken), MixColumns (by the contents of the tables) and
// AddRoundKey. Decryption takes the columns c - 1, c - 2 and c - 3 and the inverse tables; this is the
// equivalent inverse cipher of FIPS 197 section 5.3.5.
//
// Tables are a type with these functions, or with those for the inverse tables:
//     template <int Row> uint32_t t(uint32_t column) const;    // T_Row of the byte in that row of the column
//     template <int Row> uint32_t box(uint32_t column) const;  // the S-box of that byte, for the last round
// It may also have uint32_t mixed(w, x, y, z), if it has a better way to add up four look-ups. Key is a
// function from int to uint32_t: the words of the round keys.
#pragma once

#include "lab/cipher_arguments.hpp"

namespace warpaes::core::lab {

template <int Row>
WARPAES_HOST_DEVICE uint32_t byte_of(uint32_t column) {
  return (column >> (8 * Row)) & 0xff;
}

WARPAES_HOST_DEVICE uint32_t rotate_left(uint32_t word, int bits) {
  return bits == 0 ? word : word << bits | word >> (32 - bits);
}

/// Computes each new column from its four old ones, in the order of rows, and then adds the round key.
template <bool Inverse, class Column, class Key>
WARPAES_HOST_DEVICE Columns new_columns(const Column& column, const Key& key, int round, Columns s) {
  const int k = 4 * round;
  if constexpr (Inverse) {
    return {column(s.a, s.d, s.c, s.b) ^ key(k), column(s.b, s.a, s.d, s.c) ^ key(k + 1),
            column(s.c, s.b, s.a, s.d) ^ key(k + 2), column(s.d, s.c, s.b, s.a) ^ key(k + 3)};
  } else {
    return {column(s.a, s.b, s.c, s.d) ^ key(k), column(s.b, s.c, s.d, s.a) ^ key(k + 1),
            column(s.c, s.d, s.a, s.b) ^ key(k + 2), column(s.d, s.a, s.b, s.c) ^ key(k + 3)};
  }
}

template <class Key>
WARPAES_HOST_DEVICE Columns add_first_key(const Key& key, Columns s) {
  return s ^ Columns{key(0), key(1), key(2), key(3)};
}

template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_round(const Tables& tables, const Key& key, int round, Columns s) {
  const auto column = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    if constexpr (requires { tables.mixed(w, x, y, z); }) {
      return tables.mixed(w, x, y, z);
    } else {
      return tables.template t<0>(w) ^ tables.template t<1>(x) ^ tables.template t<2>(y) ^
             tables.template t<3>(z);
    }
  };
  return new_columns<Inverse>(column, key, round, s);
}

/// The last round, which has no MixColumns.
template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_last_round(const Tables& tables, const Key& key, int round, Columns s) {
  const auto column = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return tables.template box<0>(w) | tables.template box<1>(x) << 8 | tables.template box<2>(y) << 16 |
           tables.template box<3>(z) << 24;
  };
  return new_columns<Inverse>(column, key, round, s);
}

/// The whole cipher as a loop whose body is one round.
template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_block(const Tables& tables, const Key& key, int rounds, Columns s) {
  s = add_first_key(key, s);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round < rounds; round++) s = t_table_round<Inverse>(tables, key, round, s);
  return t_table_last_round<Inverse>(tables, key, rounds, s);
}

/// The same with the loop unrolled. The code is longer, and round keys have addresses that are known at
/// compile time. It begins with round From, after the round keys before that have been added.
template <bool Inverse, int Rounds, int From, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_rounds_unrolled(const Tables& tables, const Key& key, Columns s) {
  WARPAES_UNROLL
  for (int round = From; round < Rounds; round++) s = t_table_round<Inverse>(tables, key, round, s);
  return t_table_last_round<Inverse>(tables, key, Rounds, s);
}

}  // namespace warpaes::core::lab
