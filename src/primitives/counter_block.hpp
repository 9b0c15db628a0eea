// The counter block of CTR and GCM: 16 bytes, read as a big-endian number.
#pragma once

#include <cstdint>

#include "primitives/byte_order.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

struct CounterBlock {
  uint64_t high, low;
};

WARPAES_HOST_DEVICE CounterBlock load_counter(const uint8_t* from) {
  return {load_be64(from), load_be64(from + 8)};
}

WARPAES_HOST_DEVICE void store_counter(uint8_t* to, CounterBlock counter) {
  store_be64(to, counter.high);
  store_be64(to + 8, counter.low);
}

/// CTR: adds modulo 2^128, the standard incrementing function of SP 800-38A B.1 with m = 128.
WARPAES_HOST_DEVICE CounterBlock add128(CounterBlock counter, uint64_t blocks) {
  const uint64_t low = counter.low + blocks;
  return {counter.high + (low < blocks ? 1 : 0), low};
}

/// GCM: inc32 of SP 800-38D section 6.2, `blocks` times: the last four bytes count modulo 2^32, and the
/// first twelve stay.
WARPAES_HOST_DEVICE CounterBlock add32(CounterBlock counter, uint64_t blocks) {
  const uint64_t count = (counter.low + blocks) & 0xffffffffu;
  return {counter.high, (counter.low & ~uint64_t{0xffffffffu}) | count};
}

}  // namespace warpaes::core
