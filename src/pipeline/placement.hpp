// Things laid one behind another in a slot.
#pragma once

#include "primitives/align.hpp"

namespace warpaes::core {

struct Placement {
  uint64_t end = 0;

  /// @return where they begin, aligned as CUDA's allocations are
  uint64_t place(uint64_t bytes) {
    const uint64_t at = end;
    end += rounded_up(bytes, 256);
    return at;
  }
};

}  // namespace warpaes::core
