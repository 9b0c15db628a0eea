// Whether a message's input and output are in each other's way.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

/// In place is allowed, and so is any place apart from the input. Everything else is an overlap.
/// @param read,written bytes from `input` and from `output` on
WARPAES_HOST_DEVICE bool overlap(const uint8_t* input, uint64_t read, const uint8_t* output,
                                 uint64_t written) {
  const uint64_t from = reinterpret_cast<uintptr_t>(input), to = reinterpret_cast<uintptr_t>(output);
  return from < to ? to - from < read : from != to && from - to < written;
}

}  // namespace warpaes::core
