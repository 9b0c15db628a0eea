// Products in GF(2^128) from products of 64 x 64 bits without carries. They are in the form of gf128.hpp,
// where bit i of a 128-bit number is the coefficient of x^i, so that nothing needs to be reflected.
#pragma once

#include "primitives/gf128.hpp"

namespace warpaes::core::lab {

/// A product of 256 bits times x^-128, modulo x^128 + x^127 + x^126 + x^121 + 1 (Montgomery's method). A
/// multiple of the modulus cancels the lowest word; the upper terms of the modulus change words that are 63,
/// 62 and 57 bits higher. Then the next word is cancelled.
WARPAES_HOST_DEVICE Gf128 montgomery_reduced(Gf128 low, Gf128 high) {
  const auto cancel = [](uint64_t word, uint64_t& next, uint64_t& after) {
    next ^= word << 63 ^ word << 62 ^ word << 57;
    after ^= word ^ word >> 1 ^ word >> 2 ^ word >> 7;
  };
  cancel(low.lo, low.hi, high.lo);
  cancel(low.hi, high.lo, high.hi);
  return high;
}

/// Karatsuba's method: three products of 64 x 64 bits instead of four.
/// @param product (uint64_t, uint64_t) -> Gf128, a product without carries
template <class Product>
WARPAES_HOST_DEVICE Gf128 multiply_carryless(Gf128 a, Gf128 b, const Product& product) {
  const Gf128 low = product(a.lo, b.lo), high = product(a.hi, b.hi);
  const Gf128 middle = product(a.lo ^ a.hi, b.lo ^ b.hi) ^ low ^ high;
  return montgomery_reduced({low.lo, low.hi ^ middle.lo}, {high.lo ^ middle.hi, high.hi});
}

}  // namespace warpaes::core::lab
