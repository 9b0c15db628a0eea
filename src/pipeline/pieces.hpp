// How runs are cut.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// `bytes` bytes from offset `at` on.
BlockRun part_of(const BlockRun& run, uint64_t at, uint64_t bytes);

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

/// `count` data units from unit `first` on, whose number is `tweak`.
XtsRun part_of(const XtsRun& run, uint64_t first, uint64_t count, const TweakAt& tweak);

}  // namespace warpaes::core
