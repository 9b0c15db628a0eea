// T0 and T1 in shared memory, 32 copies of each, so that every lane has a bank of its own.
// lab/kernels/lane_private_rows.cu explains the idea.
#pragma once

#include "kernels/policy.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab {

class LanePrivateRows {
 public:
  /// Each value of a byte has a row of 256 bytes: 32 copies of the entry of T0, and 32 of the entry of T1.
  static constexpr uint32_t kBytes = 256 * 256;

  WARPAES_HOST_DEVICE LanePrivateRows(const uint8_t* shared, uint32_t lane)
      : shared_(shared), lane_(4 * lane) {}

  /// Fills this thread's share of the rows. A barrier must follow.
  template <bool Inverse, class Thread>
  WARPAES_HOST_DEVICE static void fill(const Thread& thread) {
    auto* const words = reinterpret_cast<uint32_t*>(thread.shared());
    for (uint32_t i = thread.index(); i < kBytes / 4; i += thread.count()) {
      words[i] = constant_t<Inverse>(static_cast<int>(i / kWarpLanes % 2), i / (2 * kWarpLanes));
    }
  }

  /// T2 is T0 rotated by 16 bits, and T3 is T1 rotated by 16 bits.
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return rotate_left(look_up<Row, Row % 2>(column), Row < 2 ? 0 : 16);
  }
  /// A column from its four rows, with one rotation for both of the other tables.
  WARPAES_HOST_DEVICE uint32_t mixed(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    return t<0>(w) ^ t<1>(x) ^ rotate_left(look_up<2, 0>(y) ^ look_up<3, 1>(z), 16);
  }

 protected:
  /// The entry of T_Table for the byte in that row of the column. Its address is (byte << 8 | 4 * lane),
  /// which one byte permutation makes: byte 0 of the second word, which is 4 * lane, then the wanted byte of
  /// the first word, and zeros from byte 1 of the second word. Which table it is adds a constant, which the
  /// load takes as its offset.
  template <int Row, int Table>
  WARPAES_HOST_DEVICE uint32_t look_up(uint32_t column) const {
    const uint32_t place = permute_bytes<0x5504 | Row << 4>(column, lane_);
    return *reinterpret_cast<const uint32_t*>(shared_ + place + Table * 4 * kWarpLanes);
  }

 private:
  const uint8_t* shared_;
  uint32_t lane_;  // 4 * lane, which is where the lane's copies are in a row
};

/// The S-box of the last round is taken from T0: byte 1 of an entry has the factor 1 of MixColumns.
struct LanePrivateEncryption : LanePrivateRows {
  using LanePrivateRows::LanePrivateRows;
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return byte_of<1>(look_up<Row, 0>(column));
  }
};

/// For decryption no factor is 1, but 14 + 9 + 13 + 11 = 1 in GF(2^8), so the sum of an entry's four bytes is
/// the inverse S-box.
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
