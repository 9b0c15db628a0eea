// The S-box (FIPS 197 section 5.1.1) and the T-tables made from it, computed at compile time from
// their definition, so that there is no typed table to trust.
#pragma once

#include <array>
#include <cstdint>

namespace warpaes::core {

/// Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, FIPS 197 section 4.2.
constexpr uint8_t times_x(uint8_t a) { return static_cast<uint8_t>((a << 1) ^ ((a >> 7) * 0x1b)); }

constexpr uint8_t gf256_multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1, a = times_x(a)) {
    if (b & 1) product ^= a;
  }
  return product;
}

namespace sbox_detail {

constexpr uint8_t rotate_left(uint8_t value, int by) {
  return static_cast<uint8_t>((value << by) | (value >> (8 - by)));
}

/// Walks the multiplicative group by its generator 3 and, beside it, by 1/3: so q is always 1/p.
constexpr std::array<uint8_t, 256> make_sbox() {
  std::array<uint8_t, 256> sbox{};
  uint8_t p = 1, q = 1;
  const uint8_t inverse_of_3 = 0xf6;
  do {
    p = gf256_multiply(p, 3);
    q = gf256_multiply(q, inverse_of_3);
    sbox[p] = q ^ rotate_left(q, 1) ^ rotate_left(q, 2) ^ rotate_left(q, 3) ^ rotate_left(q, 4) ^ 0x63;
  } while (p != 1);
  sbox[0] = 0x63;  // zero has no inverse and maps to the affine constant
  return sbox;
}

constexpr std::array<uint8_t, 256> invert(const std::array<uint8_t, 256>& permutation) {
  std::array<uint8_t, 256> inverse{};
  for (int i = 0; i < 256; i++) inverse[permutation[i]] = static_cast<uint8_t>(i);
  return inverse;
}

/// One column of MixColumns' matrix times a byte, lowest row in the low bits.
constexpr uint32_t column(uint8_t s, uint8_t m0, uint8_t m1, uint8_t m2, uint8_t m3) {
  return gf256_multiply(s, m0) | gf256_multiply(s, m1) << 8 | gf256_multiply(s, m2) << 16 |
         static_cast<uint32_t>(gf256_multiply(s, m3)) << 24;
}

}  // namespace sbox_detail

inline constexpr std::array<uint8_t, 256> kSBox = sbox_detail::make_sbox();
inline constexpr std::array<uint8_t, 256> kInverseSBox = sbox_detail::invert(kSBox);

/// T0: SubBytes and MixColumns of a byte in row 0. T1, T2, T3 are T0 rotated left by 8, 16, 24 bits.
inline constexpr std::array<uint32_t, 256> kT0 = [] {
  std::array<uint32_t, 256> table{};
  for (int v = 0; v < 256; v++) table[v] = sbox_detail::column(kSBox[v], 2, 1, 1, 3);
  return table;
}();

/// The same for InvSubBytes and InvMixColumns, section 5.3.
inline constexpr std::array<uint32_t, 256> kInverseT0 = [] {
  std::array<uint32_t, 256> table{};
  for (int v = 0; v < 256; v++) table[v] = sbox_detail::column(kInverseSBox[v], 14, 9, 13, 11);
  return table;
}();

}  // namespace warpaes::core
