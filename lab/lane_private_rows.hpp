// T0 and T1 in shared memory, 32 copies of each, so that every lane has a bank of its own; the idea is
// explained in lab/kernels/lane_private_rows.cu.
#pragma once

#include "kernels/policy.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab {

class LanePrivateRows {
 public:
  /// A row of 256 bytes for each value of a byte: 32 copies of T0's entry, 32 of T1's.
  static constexpr uint32_t kBytes = 256 * 256;

  WARPAES_HOST_DEVICE LanePrivateRows(const uint8_t* shared, uint32_t lane)
      : shared_(shared), lane_(4 * lane) {}

  /// This thread's share of the filling; a barrier must follow.
  template <bool Inverse, class Thread>
  WARPAES_HOST_DEVICE static void fill(const Thread& thread) {
    auto* const words = reinterpret_cast<uint32_t*>(thread.shared());
    for (uint32_t i = thread.index(); i < kBytes / 4; i += thread.count()) {
      words[i] = constant_t<Inverse>(static_cast<int>(i / kWarpLanes % 2), i / (2 * kWarpLanes));
    }
  }

  /// T2 is T0 rotated by 16 bits, and T3 T1.
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return rotate_left(look_up<Row, Row % 2>(column), Row < 2 ? 0 : 16);
  }
  /// A column of four rows, with one rotation for both.
  WARPAES_HOST_DEVICE uint32_t mixed(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    return t<0>(w) ^ t<1>(x) ^ rotate_left(look_up<2, 0>(y) ^ look_up<3, 1>(z), 16);
  }

 protected:
  /// T_Table of the column's byte in that row. The address is (byte << 8 | 4 * lane), one byte permutation:
  /// byte 0 of the second word, which holds 4 * lane, below the wanted byte of the first; and zeros above,
  /// from the second's byte 1. The table adds a constant, which the load takes as its offset.
  template <int Row, int Table>
  WARPAES_HOST_DEVICE uint32_t look_up(uint32_t column) const {
    const uint32_t place = permute_bytes<0x5504 | Row << 4>(column, lane_);
    return *reinterpret_cast<const uint32_t*>(shared_ + place + Table * 4 * kWarpLanes);
  }

 private:
  const uint8_t* shared_;
  uint32_t lane_;  // 4 * lane: where its copies are in a row
};

/// The last round's S-box is taken from T0. Encrypting, MixColumns' factor is 1 in byte 1.
struct LanePrivateEncryption : LanePrivateRows {
  using LanePrivateRows::LanePrivateRows;
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return byte_of<1>(look_up<Row, 0>(column));
  }
};

/// Decrypting, no factor is 1, but 14 + 9 + 13 + 11 = 1 in GF(2^8): the sum of the four bytes.
struct LanePrivateDecryption : LanePrivateRows {
  using LanePrivateRows::LanePrivateRows;
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    const uint32_t entry = look_up<Row, 0>(column);
    const uint32_t half = entry ^ entry >> 16;
    return byte_of<0>(half ^ half >> 8);
  }
};

}  // namespace warpaes::core::lab
