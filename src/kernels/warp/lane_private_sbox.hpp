// 32 copies of the S-box, one for each lane of a warp. The layout is that of warp/lane_private_tables.hpp,
// but with four entries in a word, so that it takes 8 KiB where a T-table takes 32. MixColumns is done by
// logic.
//
// It serves where blocks are few, beside tables of the inverse cipher, and shared memory also has to hold
// keys.
#pragma once

#include "kernels/warp/lane_private_tables.hpp"
#include "primitives/mixed_columns.hpp"

namespace warpaes::core {

/// One lane's view of the S-box.
class LanePrivateSbox {
 public:
  static constexpr uint32_t kBytes = kTableBytes / 4;

  WARPAES_HOST_DEVICE LanePrivateSbox(const uint8_t* shared, uint32_t lane) : shared_(shared + 4 * lane) {}

  /// Fills this thread's share of the copies. A barrier must follow.
  /// @param t0 kT0, whose byte 1 is the S-box
  WARPAES_HOST_DEVICE static void fill(uint8_t* shared, const uint32_t* t0, uint32_t thread,
                                       uint32_t threads) {
    for (uint32_t i = thread; i < kBytes / 4; i += threads) {
      const uint32_t* const four = t0 + i / kWarpLanes * 4;
      reinterpret_cast<uint32_t*>(shared)[i] =
          (four[0] >> 8 & 0xff) | (four[1] & 0xff00) | (four[2] & 0xff00) << 8 | (four[3] & 0xff00) << 16;
    }
  }

  /// SubBytes and ShiftRows of a column; its rows 0 to 3 come from w, x, y and z.
  WARPAES_HOST_DEVICE uint32_t last_column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    return look_up(w & 0xff) | look_up(x >> 8 & 0xff) << 8 | look_up(y >> 16 & 0xff) << 16 |
           look_up(z >> 24) << 24;
  }

  /// The whole cipher as a loop whose body is one round.
  template <int Rounds>
  WARPAES_HOST_DEVICE Columns encrypt_rolled(Columns s, const RoundKeys& keys) const {
    s = with_key(s, keys.word);
    WARPAES_KEEP_ROLLED
    for (int r = 1; r <= Rounds; r++) {
      s = {last_column(s.a, s.b, s.c, s.d), last_column(s.b, s.c, s.d, s.a), last_column(s.c, s.d, s.a, s.b),
           last_column(s.d, s.a, s.b, s.c)};
      if (r < Rounds) s = {mixed_column(s.a), mixed_column(s.b), mixed_column(s.c), mixed_column(s.d)};
      s = with_key(s, keys.word + 4 * r);
    }
    return s;
  }

 private:
  WARPAES_HOST_DEVICE static Columns with_key(Columns s, const uint32_t* key) {
    return {s.a ^ key[0], s.b ^ key[1], s.c ^ key[2], s.d ^ key[3]};
  }

  WARPAES_HOST_DEVICE uint32_t look_up(uint32_t byte) const {
    const uint32_t four = *reinterpret_cast<const uint32_t*>(shared_ + byte / 4 * (4 * kWarpLanes));
    return four >> 8 * (byte % 4) & 0xff;
  }

  const uint8_t* shared_;  // where the lane's copy begins
};

}  // namespace warpaes::core
