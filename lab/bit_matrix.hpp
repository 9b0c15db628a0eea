// Transposition of bits, between blocks and bit planes.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core::lab {

/// Transposes a matrix of 32 rows: bit j of row[i] and bit i of row[j] change places. There are five steps.
/// They swap squares of 16, 8, 4, 2 and 1 bits a side across the diagonal of a square twice as large: the
/// upper half of row i with the lower half of row i + side.
WARPAES_HOST_DEVICE void transpose_32(uint32_t* row) {
  constexpr uint32_t kLowHalves[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
  WARPAES_UNROLL
  for (int step = 4; step >= 0; step--) {
    const int side = 1 << step;
    WARPAES_UNROLL
    for (int i = 0; i < 32; i++) {
      if ((i & side) != 0) continue;
      const uint32_t swapped = (row[i] >> side ^ row[i + side]) & kLowHalves[step];
      row[i] ^= swapped << side;
      row[i + side] ^= swapped;
    }
  }
}

}  // namespace warpaes::core::lab
