// What pieces of a run begin with.
#pragma once

#include <cstdint>

namespace warpaes::core {

/// The counter block `bytes` bytes (whole blocks) further on.
struct CounterAt {
  CounterAt(const uint8_t* counter, uint64_t bytes);
  uint8_t block[16];
};

/// The number of a data unit, `units` behind the one that has `tweak`.
struct TweakAt {
  TweakAt(const uint8_t* tweak, uint64_t units);
  uint8_t block[16];
};

}  // namespace warpaes::core
