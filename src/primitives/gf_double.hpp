// Doubling in GF(2^128), that is times x, modulo x^128 + x^7 + x^2 + x + 1. The standards that use it differ
// in which bit of a block is which power of x.
#pragma once

#include "primitives/columns.hpp"

namespace warpaes::core {

/// The block's first bit is the highest power: SP 800-38B section 6.1 (CMAC's subkeys), RFC 5297 section 2.3
/// (dbl() of SIV), RFC 7253 section 2 (double() of OCB3). Without a branch on the block.
WARPAES_HOST_DEVICE Columns doubled(Columns v) {
  const uint32_t a = reverse_bytes(v.a), b = reverse_bytes(v.b), c = reverse_bytes(v.c),
                 d = reverse_bytes(v.d);
  return {reverse_bytes(a << 1 | b >> 31), reverse_bytes(b << 1 | c >> 31), reverse_bytes(c << 1 | d >> 31),
          reverse_bytes(d << 1 ^ (a >> 31) * 0x87)};
}

/// Byte 0 holds the lowest powers, its lowest bit the lowest: IEEE 1619 section 5.2 (XTS' tweaks).
WARPAES_HOST_DEVICE Columns tweak_doubled(Columns v) {
  return {v.a << 1 ^ (v.d >> 31) * 0x87, v.b << 1 | v.a >> 31, v.c << 1 | v.b >> 31, v.d << 1 | v.c >> 31};
}

}  // namespace warpaes::core
