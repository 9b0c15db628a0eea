// XTS' tweaks, IEEE 1619 section 5.2: elements of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1. Bit i of the
// 128-bit number whose bytes the block holds, the lowest first, is the coefficient of x^i.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes {

/// word[0] holds a block's bytes 0 to 3, byte 0 in the low bits.
struct XtsTweak {
  uint32_t word[4];

  friend WARPAES_HOST_DEVICE XtsTweak operator^(XtsTweak a, XtsTweak b) {
    return {{a.word[0] ^ b.word[0], a.word[1] ^ b.word[1], a.word[2] ^ b.word[2], a.word[3] ^ b.word[3]}};
  }
};

/// What the coefficients of x^128 to x^159, in `carry`, are modulo the modulus: carry * (x^7 + x^2 + x + 1).
WARPAES_HOST_DEVICE XtsTweak xts_reduced(uint32_t carry) {
  return {{carry ^ (carry << 1) ^ (carry << 2) ^ (carry << 7), (carry >> 31) ^ (carry >> 30) ^ (carry >> 25),
           0, 0}};
}

/// tweak * x^32.
WARPAES_HOST_DEVICE XtsTweak xts_times_x32(XtsTweak tweak) {
  const uint32_t* w = tweak.word;
  return XtsTweak{{0, w[0], w[1], w[2]}} ^ xts_reduced(w[3]);
}

/// tweak * x^power.
/// @param power under 32
WARPAES_HOST_DEVICE XtsTweak xts_times_x(XtsTweak tweak, uint32_t power) {
  const uint32_t* w = tweak.word;
  const auto upper = [power](uint32_t high, uint32_t low) {  // of high:low shifted to the left
    return static_cast<uint32_t>(((static_cast<uint64_t>(high) << 32 | low) << power) >> 32);
  };
  return XtsTweak{{w[0] << power, upper(w[1], w[0]), upper(w[2], w[1]), upper(w[3], w[2])}} ^
         xts_reduced(upper(0, w[3]));
}

/// The product of two elements, bit by bit: for what is seldom needed.
WARPAES_HOST_DEVICE XtsTweak xts_product(XtsTweak a, XtsTweak b) {
  XtsTweak product{{0, 0, 0, 0}};
  WARPAES_KEEP_ROLLED
  for (int bit = 0; bit < 128; bit++) {
    // b is shifted out from the top, by Horner's rule.
    const uint32_t chosen = 0 - (b.word[3] >> 31);
    product = xts_times_x(product, 1) ^ XtsTweak {
      {
        a.word[0] & chosen, a.word[1] & chosen, a.word[2] & chosen, a.word[3] & chosen
      }
    };
    const uint32_t* w = b.word;
    b = {{w[0] << 1, w[1] << 1 | w[0] >> 31, w[2] << 1 | w[1] >> 31, w[3] << 1 | w[2] >> 31}};
  }
  return product;
}

/// A data unit's number as IEEE 1619 section 5.1 writes it, `units` further on; it wraps at 2^128.
/// @param number 128 bits, little-endian, as words
WARPAES_HOST_DEVICE XtsTweak xts_unit_number(XtsTweak number, uint64_t units) {
  const uint64_t low = static_cast<uint64_t>(number.word[1]) << 32 | number.word[0];
  const uint64_t high = static_cast<uint64_t>(number.word[3]) << 32 | number.word[2];
  const uint64_t sum = low + units, carried = high + (sum < low ? 1 : 0);
  return {{static_cast<uint32_t>(sum), static_cast<uint32_t>(sum >> 32), static_cast<uint32_t>(carried),
           static_cast<uint32_t>(carried >> 32)}};
}

}  // namespace warpaes
