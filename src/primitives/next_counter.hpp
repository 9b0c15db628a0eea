// The counter of CTR, as kernels count that walk a message block by block.
#pragma once

#include "primitives/columns.hpp"

namespace warpaes::core {

/// The counter plus one modulo 2^128, big-endian: SP 800-38A appendix B.1 with m = 128. Carries are rare, so
/// they are a branch, which may depend on the counter because that is no secret.
WARPAES_HOST_DEVICE Columns next_counter(Columns counter) {
  counter.d = reverse_bytes(reverse_bytes(counter.d) + 1);
  if (counter.d == 0) {
    counter.c = reverse_bytes(reverse_bytes(counter.c) + 1);
    if (counter.c == 0) counter.b = reverse_bytes(reverse_bytes(counter.b) + 1);
    if ((counter.b | counter.c) == 0) counter.a = reverse_bytes(reverse_bytes(counter.a) + 1);
  }
  return counter;
}

/// The counter of the block that is `blocks` further on, modulo 2^128.
WARPAES_HOST_DEVICE Columns counter_after(Columns counter, uint64_t blocks) {
  const uint64_t high = uint64_t{reverse_bytes(counter.a)} << 32 | reverse_bytes(counter.b),
                 low = uint64_t{reverse_bytes(counter.c)} << 32 | reverse_bytes(counter.d);
  const uint64_t sum = low + blocks, carried = high + (sum < low ? 1 : 0);
  return {reverse_bytes(static_cast<uint32_t>(carried >> 32)), reverse_bytes(static_cast<uint32_t>(carried)),
          reverse_bytes(static_cast<uint32_t>(sum >> 32)), reverse_bytes(static_cast<uint32_t>(sum))};
}

}  // namespace warpaes::core
