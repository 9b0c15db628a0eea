// A block as four 32-bit words, and permutations of their bytes.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

/// Four columns of the state; byte 0 of a column is in the low bits.
struct Columns {
  uint32_t a, b, c, d;
};

/// CUDA's __byte_perm, for host code too. Nibble i of the selector says which byte of y:x becomes byte i of
/// the result: 0 to 3 are the bytes of x, 4 to 7 those of y, the lowest first.
template <uint32_t Selector>
WARPAES_HOST_DEVICE uint32_t permute_bytes(uint32_t x, uint32_t y) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(x, y, Selector);
#else
  // Written out, as tests run it so often that calls between its parts would be felt.
  const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
  const uint64_t picked =
      (both >> (8 * (Selector & 7)) & 0xff) | (both >> (8 * (Selector >> 4 & 7)) & 0xff) << 8 |
      (both >> (8 * (Selector >> 8 & 7)) & 0xff) << 16 | (both >> (8 * (Selector >> 12 & 7)) & 0xff) << 24;
  return static_cast<uint32_t>(picked);
#endif
}

WARPAES_HOST_DEVICE uint32_t reverse_bytes(uint32_t x) { return permute_bytes<0x0123>(x, 0); }

WARPAES_HOST_DEVICE Columns operator^(Columns x, Columns y) {
  return {x.a ^ y.a, x.b ^ y.b, x.c ^ y.c, x.d ^ y.d};
}

WARPAES_HOST_DEVICE Columns exclusive_or(Columns x, Columns y, Columns z) { return x ^ y ^ z; }

/// The word with each byte replaced by 0xff if its top bit is 1, and by 0 if not.
WARPAES_HOST_DEVICE uint32_t spread_top_bits(uint32_t word) {
#if defined(__CUDA_ARCH__)
  uint32_t result;  // a selector of 8 + i repeats the sign of byte i
  asm("prmt.b32 %0, %1, %1, 0xba98;" : "=r"(result) : "r"(word));
  return result;
#else
  return (word >> 7 & 0x01010101) * 255;
#endif
}

}  // namespace warpaes::core
