// Searches all device memory that can be allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpaes::core::testing {

/// How many 32-bit words are not `value`; of a tail that is no word, how many bytes are not its low byte.
uint64_t count_words_that_differ(const uint8_t* memory, uint64_t bytes, uint32_t value);

/// Eight bytes that were once in a secret, as two words of memory order.
struct Needle {
  uint32_t first, second;
};
constexpr size_t kMaxNeedles = 1024;

struct Finding {
  uint64_t hits;   // places that hold one of the needles, at addresses that are multiples of 4
  uint64_t place;  // offset of one of them
  uint32_t needle;
};

/// @param memory 4-byte aligned device memory of the current device, initialised or not
Finding look_for(std::span<const Needle> needles, const uint8_t* memory, uint64_t bytes);

}  // namespace warpaes::core::testing
