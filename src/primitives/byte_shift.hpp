// Functions that move, keep or drop bytes of a block, and the padding behind a block's last byte.
#pragma once

#include "primitives/columns.hpp"

namespace warpaes::core {

/// The block with all but its first `bytes` bytes set to zero; from 16 bytes on, nothing is.
WARPAES_HOST_DEVICE Columns keep_bytes(Columns v, uint32_t bytes) {
  const auto mask = [bytes](uint32_t column) -> uint32_t {
    const uint32_t start = 4 * column;
    return bytes >= start + 4 ? ~0u : bytes <= start ? 0u : ~0u >> (8 * (start + 4 - bytes));
  };
  return {v.a & mask(0), v.b & mask(1), v.c & mask(2), v.d & mask(3)};
}

/// The block with its first `bytes` bytes set to zero.
WARPAES_HOST_DEVICE Columns drop_bytes(Columns v, uint32_t bytes) { return v ^ keep_bytes(v, bytes); }

/// Byte i goes to place i + bytes; zeros come in at the front. @param bytes 0 to 16
WARPAES_HOST_DEVICE Columns moved_up(Columns v, uint32_t bytes) {
  if (bytes & 16) return {0, 0, 0, 0};
  if (bytes & 8) v = {0, 0, v.a, v.b};
  if (bytes & 4) v = {0, v.a, v.b, v.c};
  const auto joined = [bytes](uint32_t high, uint32_t low) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (32 - 8 * (bytes % 4)));
  };
  return {joined(v.a, 0), joined(v.b, v.a), joined(v.c, v.b), joined(v.d, v.c)};
}

/// Byte i + bytes goes to place i; zeros come in at the end. @param bytes 0 to 16
WARPAES_HOST_DEVICE Columns moved_down(Columns v, uint32_t bytes) {
  if (bytes & 16) return {0, 0, 0, 0};
  if (bytes & 8) v = {v.c, v.d, 0, 0};
  if (bytes & 4) v = {v.b, v.c, v.d, 0};
  const auto joined = [bytes](uint32_t high, uint32_t low) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (8 * (bytes % 4)));
  };
  return {joined(v.b, v.a), joined(v.c, v.b), joined(v.d, v.c), joined(0, v.d)};
}

/// The padding of SP 800-38B section 6.2 and RFC 7253 sections 4.1 and 4.2: a one bit behind the first
/// `bytes` bytes, and zeros. A whole block has none.
/// @param block has zeros behind its first `bytes` bytes; or it is a mask to be XORed with the padded block,
/// as
///        the one bit is XORed as well
/// @param bytes 0 to 16
WARPAES_HOST_DEVICE Columns padded(Columns block, uint32_t bytes) {
  if (bytes == 16) return block;
  const uint32_t one = 0x80u << (8 * (bytes % 4)), column = bytes / 4;
  return block ^
         Columns{column == 0 ? one : 0, column == 1 ? one : 0, column == 2 ? one : 0, column == 3 ? one : 0};
}

}  // namespace warpaes::core
