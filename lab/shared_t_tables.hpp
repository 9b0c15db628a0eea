// The four T-tables and the S-box of one direction in shared memory, for lessons whose subject is something
// else.
#pragma once

#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab {

struct SharedTTables {
  uint32_t table[4][256];
  uint8_t last[256];

  /// Copies this thread's share of the tables. A barrier must follow.
  template <bool Inverse, class Thread>
  WARPAES_HOST_DEVICE void fill(const Thread& thread) {
    for (uint32_t i = thread.index(); i < 256; i += thread.count()) {
      for (int row = 0; row < 4; row++) table[row][i] = constant_t<Inverse>(row, i);
      last[i] = constant_box<Inverse>(i);
    }
  }

  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return table[Row][byte_of<Row>(column)];
  }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return last[byte_of<Row>(column)];
  }
};

}  // namespace warpaes::core::lab
