// POLYVAL over strings of bytes on the host, RFC 8452 section 3.
#pragma once

#include "primitives/byte_order.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {

/// POLYVAL is GHASH but for two things (appendix A): its blocks are little-endian, and its key is taken as it
/// stands. So this class lets Ghash do the work.
class Polyval {
 public:
  /// @param key 16 bytes
  explicit Polyval(const uint8_t* key) : sum_({load_le64(key), load_le64(key + 8)}, HashOrder::polyval) {}

  /// Adds the data, and zeros up to the end of its last block.
  void add_padded(const uint8_t* data, uint64_t bytes) { sum_.add_padded(data, bytes); }

  void store_sum(uint8_t* block) const {
    store_le64(block, sum_.sum().lo);
    store_le64(block + 8, sum_.sum().hi);
  }

 private:
  Ghash sum_;
};

}  // namespace warpaes::core
