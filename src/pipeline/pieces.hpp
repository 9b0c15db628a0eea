// The counter block and the tweak with which a piece of a longer run begins.
#pragma once

#include "primitives/byte_order.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes::core {

/// The counter block that is `bytes` bytes, a number of whole blocks, behind `counter`.
struct CounterAt {
  CounterAt(const uint8_t* counter, uint64_t bytes) {
    store_counter(block, add128(load_counter(counter), bytes / 16));
  }
  uint8_t block[16];
};

/// The number of the data unit that is `units` units behind the one with the number `tweak`.
struct TweakAt {
  TweakAt(const uint8_t* tweak, uint64_t units) {
    const uint64_t low = load_le64(tweak), sum = low + units;
    store_le64(block, sum);
    store_le64(block + 8, load_le64(tweak + 8) + (sum < low ? 1 : 0));
  }
  uint8_t block[16];
};

}  // namespace warpaes::core
