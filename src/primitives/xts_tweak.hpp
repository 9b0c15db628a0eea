// XTS' tweaks, IEEE 1619 section 5.2: elements of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1. Bit i of the
// 128-bit number whose bytes the block holds, the lowest first, is the coefficient of x^i.
#pragma once

#include <cstdint>

#include "primitives/gf128.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

/// word[0] holds a block's bytes 0 to 3, byte 0 in the low bits.
struct XtsTweak {
  uint32_t word[4];

  friend WARPAES_HOST_DEVICE XtsTweak operator^(XtsTweak a, XtsTweak b) {
    return {{a.word[0] ^ b.word[0], a.word[1] ^ b.word[1], a.word[2] ^ b.word[2], a.word[3] ^ b.word[3]}};
  }
};

/// What `carry`, the coefficients of x^128 to x^159, is modulo the polynomial: carry * (x^7 + x^2 + x + 1).
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

/// tweak * x^2048: x^128 is x^7 + x^2 + x + 1, and its fourth square x^112 + x^32 + x^16 + 1.
WARPAES_HOST_DEVICE XtsTweak xts_times_x2048(XtsTweak tweak) {
  const XtsTweak x32 = xts_times_x32(tweak);
  const XtsTweak x96 = xts_times_x32(xts_times_x32(x32));
  return xts_times_x(x96, 16) ^ x32 ^ xts_times_x(tweak, 16) ^ tweak;
}

/// tweak * x^power in steps, which take few registers: for a power under 2^20 at most 511 of x^2048, and then
/// 63 of x^32.
WARPAES_HOST_DEVICE XtsTweak xts_after(XtsTweak tweak, uint32_t power) {
  WARPAES_KEEP_ROLLED
  for (; power >= 2048; power -= 2048) tweak = xts_times_x2048(tweak);
  WARPAES_KEEP_ROLLED
  for (; power >= 32; power -= 32) tweak = xts_times_x32(tweak);
  return xts_times_x(tweak, power);
}

/// The product of two elements.
WARPAES_HOST_DEVICE XtsTweak xts_product(XtsTweak a, XtsTweak b) {
  const auto half = [](const XtsTweak& v, int i) {
    return static_cast<uint64_t>(v.word[2 * i + 1]) << 32 | v.word[2 * i];
  };
  Gf128 low{0, 0}, middle{0, 0}, high{0, 0};
  add_carryless_product(low, half(a, 0), half(b, 0));
  add_carryless_product(middle, half(a, 0), half(b, 1));
  add_carryless_product(middle, half(a, 1), half(b, 0));
  add_carryless_product(high, half(a, 1), half(b, 1));
  const uint64_t w2 = high.lo ^ middle.hi, w3 = high.hi;
  // The upper half times x^7 + x^2 + x + 1, and once more what that carries out of 128 bits.
  const uint64_t over = (w3 >> 63) ^ (w3 >> 62) ^ (w3 >> 57);
  const uint64_t r0 =
      low.lo ^ w2 ^ (w2 << 1) ^ (w2 << 2) ^ (w2 << 7) ^ over ^ (over << 1) ^ (over << 2) ^ (over << 7);
  const uint64_t r1 =
      low.hi ^ middle.lo ^ w3 ^ (w3 << 1 | w2 >> 63) ^ (w3 << 2 | w2 >> 62) ^ (w3 << 7 | w2 >> 57);
  return {{static_cast<uint32_t>(r0), static_cast<uint32_t>(r0 >> 32), static_cast<uint32_t>(r1),
           static_cast<uint32_t>(r1 >> 32)}};
}

/// x^power by square and multiply.
/// @param bits such that the power is under 2^bits
WARPAES_HOST_DEVICE XtsTweak xts_power_of_x(uint32_t power, int bits) {
  XtsTweak result{{1, 0, 0, 0}};
  WARPAES_KEEP_ROLLED
  for (int bit = bits - 1; bit >= 0; bit--) {
    result = xts_times_x(xts_product(result, result), (power >> bit) & 1);
  }
  return result;
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

}  // namespace warpaes::core
