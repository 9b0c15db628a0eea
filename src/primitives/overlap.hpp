// Whether what a message writes is in the way of what it reads.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

/// Does an output lie in the way of its input? In place is allowed, and so is any place apart from the input;
/// everything else is an overlap.
/// @param read,written bytes from `input` and from `output` on
WARPAES_HOST_DEVICE bool overlap(const uint8_t* input, uint64_t read, const uint8_t* output,
                                 uint64_t written) {
  const uint64_t from = reinterpret_cast<uintptr_t>(input), to = reinterpret_cast<uintptr_t>(output);
  return from < to ? to - from < read : from != to && from - to < written;
}

/// Have the two ranges a byte in common?
WARPAES_HOST_DEVICE bool share_bytes(const uint8_t* one, uint64_t bytes, const uint8_t* other,
                                     uint64_t other_bytes) {
  const uint64_t a = reinterpret_cast<uintptr_t>(one), b = reinterpret_cast<uintptr_t>(other);
  return bytes != 0 && other_bytes != 0 && (a - b < other_bytes || b - a < bytes);
}

}  // namespace warpaes::core
