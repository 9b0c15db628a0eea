// AES by T-tables, whatever memory they and the round keys lie in: a lesson gives the look-ups, the equations
// are here. They are those of Daemen and Rijmen's AES proposal, section 5.2.1: a column is a word, and
//
//     column c  <-  T0[row 0 of column c] ^ T1[row 1 of column c + 1] ^ T2[row 2 of column c + 2]
//                   ^ T3[row 3 of column c + 3] ^ round key word c
//
// does SubBytes, ShiftRows (the columns taken), MixColumns (the tables' contents) and AddRoundKey. Decryption
// takes columns c - 1, c - 2, c - 3 and the inverse tables: the equivalent inverse cipher, FIPS 197 5.3.5.
//
// Tables are a type with
//     template <int Row> uint32_t t(uint32_t column) const;    // T_Row of the column's byte in that row
//     template <int Row> uint32_t box(uint32_t column) const;  // the S-box of it, for the last round
// or with the inverse ones; and, if they have a better way to add up four, uint32_t mixed(w, x, y, z). Key is
// a function from int to uint32_t: the words of the round keys.
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

/// Each new column from its four old ones, in the order of rows, and then the round key.
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

/// No MixColumns in the last round.
template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_last_round(const Tables& tables, const Key& key, int round, Columns s) {
  const auto column = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return tables.template box<0>(w) | tables.template box<1>(x) << 8 | tables.template box<2>(y) << 16 |
           tables.template box<3>(z) << 24;
  };
  return new_columns<Inverse>(column, key, round, s);
}

/// The whole cipher, one round after the other by the same instructions.
template <bool Inverse, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_block(const Tables& tables, const Key& key, int rounds, Columns s) {
  s = add_first_key(key, s);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round < rounds; round++) s = t_table_round<Inverse>(tables, key, round, s);
  return t_table_last_round<Inverse>(tables, key, rounds, s);
}

/// The same with the rounds one behind the other: longer code, and round keys at addresses that are known
/// when it is compiled. It begins at round From, the keys before being added.
template <bool Inverse, int Rounds, int From, class Tables, class Key>
WARPAES_HOST_DEVICE Columns t_table_rounds_unrolled(const Tables& tables, const Key& key, Columns s) {
  WARPAES_UNROLL
  for (int round = From; round < Rounds; round++) s = t_table_round<Inverse>(tables, key, round, s);
  return t_table_last_round<Inverse>(tables, key, Rounds, s);
}

}  // namespace warpaes::core::lab
