// Blocks of 16 bytes in global memory.
#pragma once

#include <cstdint>

#include "kernels/lane_private_tables.hpp"
#include "primitives/gf128.hpp"
#include "warpaes/status.h"

namespace warpaes {

struct alignas(16) AlignedBlock {
  uint32_t a, b, c, d;
};

WARPAES_HOST_DEVICE bool is_aligned(const void* pointer) {
  return (reinterpret_cast<uintptr_t>(pointer) & 15) == 0;
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

/// All but the first `bytes` bytes set to zero.
WARPAES_HOST_DEVICE Columns keep_bytes(Columns v, uint32_t bytes) {
  const auto mask = [bytes](uint32_t column) -> uint32_t {
    const uint32_t start = 4 * column;
    return bytes >= start + 4 ? ~0u : bytes <= start ? 0u : ~0u >> (8 * (start + 4 - bytes));
  };
  return {v.a & mask(0), v.b & mask(1), v.c & mask(2), v.d & mask(3)};
}

/// A block as GHASH reads it, see gf128.hpp.
WARPAES_HOST_DEVICE Gf128 to_gf128(Columns v) {
  return {static_cast<uint64_t>(reverse_bytes(v.c)) << 32 | reverse_bytes(v.d),
          static_cast<uint64_t>(reverse_bytes(v.a)) << 32 | reverse_bytes(v.b)};
}

WARPAES_HOST_DEVICE Columns to_columns(Gf128 v) {
  return {reverse_bytes(static_cast<uint32_t>(v.hi >> 32)), reverse_bytes(static_cast<uint32_t>(v.hi)),
          reverse_bytes(static_cast<uint32_t>(v.lo >> 32)), reverse_bytes(static_cast<uint32_t>(v.lo))};
}

}  // namespace warpaes
