// MixColumns and its inverse, FIPS 197 sections 5.1.3 and 5.3.3, of one column without a table.
#pragma once

#include "primitives/columns.hpp"

namespace warpaes::core {

/// Each byte times x in GF(2^8), section 4.2.
WARPAES_HOST_DEVICE uint32_t bytes_times_x(uint32_t word) {
  return (word << 1 & 0xfefefefeu) ^ (spread_top_bits(word) & 0x1b1b1b1bu);
}

/// Row i becomes 2 a_i + 3 a_(i+1) + a_(i+2) + a_(i+3).
WARPAES_HOST_DEVICE uint32_t mixed_column(uint32_t word) {
  const uint32_t next = permute_bytes<0x0321>(word, word), both = word ^ next;
  return bytes_times_x(both) ^ next ^ permute_bytes<0x1032>(both, both);
}

/// mixed_column() twice: row i becomes 5 a_i + 4 a_(i+2).
WARPAES_HOST_DEVICE uint32_t twice_mixed_column(uint32_t word) {
  return word ^ bytes_times_x(bytes_times_x(word ^ permute_bytes<0x1032>(word, word)));
}

/// MixColumns four times is the identity, so its inverse is itself three times.
WARPAES_HOST_DEVICE uint32_t inverse_mixed_column(uint32_t word) {
  return mixed_column(twice_mixed_column(word));
}

}  // namespace warpaes::core
