// Loads and stores of blocks of 16 bytes in global memory.
#pragma once

#include <cstdint>

#include "kernels/warp/lane_private_tables.hpp"
#include "primitives/byte_shift.hpp"
#include "primitives/gf128.hpp"
#include "warpaes/status.h"

namespace warpaes::core {

struct alignas(16) AlignedBlock {
  uint32_t a, b, c, d;
};

WARPAES_HOST_DEVICE bool is_aligned(const void* pointer) {
  return (reinterpret_cast<uintptr_t>(pointer) & 15) == 0;
}

/// The same number, about which the compiler knows nothing. So what depends on it is computed where it is
/// needed, and not kept in registers throughout a loop.
WARPAES_HOST_DEVICE uint32_t computed_again(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

WARPAES_HOST_DEVICE Columns load_aligned(const uint8_t* from) {
  const AlignedBlock v = *reinterpret_cast<const AlignedBlock*>(from);
  return {v.a, v.b, v.c, v.d};
}

WARPAES_HOST_DEVICE void store_aligned(uint8_t* to, Columns v) {
  *reinterpret_cast<AlignedBlock*>(to) = {v.a, v.b, v.c, v.d};
}

/// The first `bytes` bytes of a block at any address; the rest is zero.
WARPAES_HOST_DEVICE Columns load_bytes(const uint8_t* from, uint32_t bytes) {
  uint32_t word[4] = {0, 0, 0, 0};
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 16; i++) {
    if (i < bytes) word[i / 4] |= static_cast<uint32_t>(from[i]) << (8 * (i % 4));
  }
  return {word[0], word[1], word[2], word[3]};
}

WARPAES_HOST_DEVICE void store_bytes(uint8_t* to, Columns v, uint32_t bytes) {
  const uint32_t word[4] = {v.a, v.b, v.c, v.d};
  WARPAES_UNROLL
  for (uint32_t i = 0; i < 16; i++) {
    if (i < bytes) to[i] = static_cast<uint8_t>(word[i / 4] >> (8 * (i % 4)));
  }
}

/// A block as two little-endian words. That is how POLYVAL reads it (RFC 8452 section 3), and how blocks that
/// are no elements of the field are added and exchanged.
WARPAES_HOST_DEVICE Gf128 little_endian_words(Columns v) {
  return {static_cast<uint64_t>(v.b) << 32 | v.a, static_cast<uint64_t>(v.d) << 32 | v.c};
}

WARPAES_HOST_DEVICE Columns little_endian_block(Gf128 v) {
  return {static_cast<uint32_t>(v.lo), static_cast<uint32_t>(v.lo >> 32), static_cast<uint32_t>(v.hi),
          static_cast<uint32_t>(v.hi >> 32)};
}

/// A block as GHASH reads it (primitives/gf128.hpp).
WARPAES_HOST_DEVICE Gf128 to_gf128(Columns v) {
  return {static_cast<uint64_t>(reverse_bytes(v.c)) << 32 | reverse_bytes(v.d),
          static_cast<uint64_t>(reverse_bytes(v.a)) << 32 | reverse_bytes(v.b)};
}

/// The same for a block that is not there, for which it is 0. That takes no instruction more for each word:
/// it is the order in which a permutation takes its bytes.
WARPAES_HOST_DEVICE Gf128 to_gf128_if(bool there, Columns v) {
#if defined(__CUDA_ARCH__)
  constexpr uint32_t kReversed = 0x0123, kZeros = 0x4444;  // bytes 4 to 7 are those of the other operand: 0
  const uint32_t order = there ? kReversed : kZeros;
  const uint32_t a = __byte_perm(v.a, 0, order), b = __byte_perm(v.b, 0, order),
                 c = __byte_perm(v.c, 0, order), d = __byte_perm(v.d, 0, order);
  return {static_cast<uint64_t>(c) << 32 | d, static_cast<uint64_t>(a) << 32 | b};
#else
  return there ? to_gf128(v) : Gf128{0, 0};
#endif
}

WARPAES_HOST_DEVICE Columns to_columns(Gf128 v) {
  return {reverse_bytes(static_cast<uint32_t>(v.hi >> 32)), reverse_bytes(static_cast<uint32_t>(v.hi)),
          reverse_bytes(static_cast<uint32_t>(v.lo >> 32)), reverse_bytes(static_cast<uint32_t>(v.lo))};
}

}  // namespace warpaes::core
