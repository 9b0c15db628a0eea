// The T-tables, 32 copies of them, one for each lane of a warp.
//
// Idea. Shared memory has 32 banks of 4 bytes. Copy l of a table lies in bank l, and lane l reads only
// that copy: whatever the data, a warp's 32 look-ups are one conflict-free access. So there is nothing
// that depends on secrets to be timed, and the look-up rate is the most that shared memory can give.
//
// Layout. A row of 128 bytes per byte value v, 32 copies of T_k[v], and the tables one after the other.
// The address of T_k[byte j of w] is then (byte j) * 128 + lane * 4 + k * 32 KiB: one dot product of
// four bytes with (128 in place j, 0 elsewhere), which adds lane * 4 on its way; k is a constant offset of
// the load. The dot product runs on the multiplier, so that the logic units have only the sums of
// looked-up words to make and stay free for other work.
//
// Source: replicated tables, Tezcan, IEEE Access 2021; the row in one instruction is ours.
#pragma once

#include <cstdint>

#include "kernels/policy.hpp"
#include "primitives/columns.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {

/// addend + 128 * (byte Byte of word), on the multiplier.
template <int Byte>
WARPAES_HOST_DEVICE uint32_t byte_times_128(uint32_t word, uint32_t addend) {
#if defined(__CUDA_ARCH__)
  return __dp4a(word, 128u << (8 * Byte), addend);
#else
  return ((word >> (8 * Byte)) & 0xff) * 128 + addend;
#endif
}

/// One lane's view of the tables.
/// @tparam Tables 4 or 2, LaunchPolicy::tables; or 1, where filling more of them would take longer than
///         the work they are for
template <int Tables>
class LanePrivateTables {
 public:
  WARPAES_HOST_DEVICE LanePrivateTables(const uint8_t* shared, uint32_t lane)
      : shared_(shared), column_(lane * 4) {
#if defined(__CUDA_ARCH__)
    column_ += static_cast<uint32_t>(__cvta_generic_to_shared(shared));
#endif
  }

  /// This thread's share of the filling; a barrier must follow. Eight threads write a row, 16 bytes each,
  /// and have to load no more than one word for that row of all tables.
  /// @param t0 kT0 or kInverseT0
  WARPAES_HOST_DEVICE static void fill(uint8_t* shared, const uint32_t* t0, uint32_t thread,
                                       uint32_t threads) {
    struct alignas(16) FourCopies {
      uint32_t copy[4];
    };
    for (uint32_t i = thread; i < kTableBytes / sizeof(FourCopies); i += threads) {
      const uint32_t word = t0[i / 8];
      WARPAES_UNROLL
      for (int table = 0; table < Tables; table++) {
        const uint32_t rotated = rotate(word, 8 * static_cast<uint32_t>(table));
        reinterpret_cast<FourCopies*>(shared +
                                      table * kTableBytes)[i] = {{rotated, rotated, rotated, rotated}};
      }
    }
  }

  /// T_Table[byte Byte of word].
  template <int Table, int Byte>
  WARPAES_HOST_DEVICE uint32_t look_up(uint32_t word) const {
    if constexpr (Table < Tables) {
      const uint32_t place = byte_times_128<Byte>(word, column_) + Table * kTableBytes;
#if defined(__CUDA_ARCH__)
      return *static_cast<const uint32_t*>(__cvta_shared_to_generic(place));
#else
      return *reinterpret_cast<const uint32_t*>(shared_ + place);
#endif
    } else if constexpr (Tables == 1) {
      return rotate(look_up<0, Byte>(word), 8 * Table);
    } else {
      return rotate(look_up<Table - 2, Byte>(word), 16);
    }
  }

  /// T_k of the byte in row k, as a column needs them.
  WARPAES_HOST_DEVICE uint32_t t0(uint32_t word) const { return look_up<0, 0>(word); }
  WARPAES_HOST_DEVICE uint32_t t1(uint32_t word) const { return look_up<1, 1>(word); }
  WARPAES_HOST_DEVICE uint32_t t2(uint32_t word) const { return look_up<2, 2>(word); }
  WARPAES_HOST_DEVICE uint32_t t3(uint32_t word) const { return look_up<3, 3>(word); }

  /// SubBytes, ShiftRows and MixColumns of a column: rows 0 to 3 come from w, x, y, z.
  WARPAES_HOST_DEVICE uint32_t column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    if constexpr (Tables != 2) {
      return t0(w) ^ t1(x) ^ t2(y) ^ t3(z);
    } else {  // one rotation for both
      return t0(w) ^ t1(x) ^ rotate(look_up<0, 2>(y) ^ look_up<1, 3>(z), 16);
    }
  }

  /// The last round's column, without MixColumns: the S-box stands in bytes 1 and 2 of T0, where
  /// MixColumns' factor is 1.
  WARPAES_HOST_DEVICE uint32_t last_column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    const uint32_t low = permute_bytes<0x0051>(look_up<0, 0>(w), look_up<0, 1>(x));
    const uint32_t high = permute_bytes<0x0051>(look_up<0, 2>(y), look_up<0, 3>(z));
    return permute_bytes<0x5410>(low, high);
  }

  /// The same for decryption. InvMixColumns has no factor 1, but its factors add up to it,
  /// 14 + 9 + 13 + 11 = 1 in GF(2^8): the sum of an entry's four bytes is the inverse S-box. So no
  /// fifth table is needed.
  WARPAES_HOST_DEVICE uint32_t last_inverse_column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    const uint32_t t0 = look_up<0, 0>(w), t1 = look_up<0, 1>(x), t2 = look_up<0, 2>(y), t3 = look_up<0, 3>(z);
    const uint32_t low = permute_bytes<0x5140>(t0, t1) ^ permute_bytes<0x7362>(t0, t1);
    const uint32_t high = permute_bytes<0x5140>(t2, t3) ^ permute_bytes<0x7362>(t2, t3);
    return permute_bytes<0x5410>(low, high) ^ permute_bytes<0x7632>(low, high);
  }

  /// Rounds From to the last of the cipher; the state has had the round keys before From added.
  template <int Rounds, int From>
  WARPAES_HOST_DEVICE Columns encrypt(Columns s, const RoundKeys& keys) const {
    WARPAES_UNROLL
    for (int r = From; r < Rounds; r++) s = round(s, keys.word + 4 * r);
    return last_round(s, keys.word + 4 * Rounds);
  }

  /// All of the cipher with the instructions of one round: for blocks that are few, whose code would push the
  /// others' out of the instruction cache.
  template <int Rounds>
  WARPAES_HOST_DEVICE Columns encrypt_rolled(Columns s, const RoundKeys& keys) const {
    s = add_round_key(s, keys, 0);
    WARPAES_KEEP_ROLLED
    for (int r = 1; r < Rounds; r++) s = round(s, keys.word + 4 * r);
    return last_round(s, keys.word + 4 * Rounds);
  }

  /// Two blocks, round by round: one's look-ups are on their way while the other's are added.
  template <int Rounds>
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t, const RoundKeys& keys) const {
    s = add_round_key(s, keys, 0);
    t = add_round_key(t, keys, 0);
    WARPAES_UNROLL
    for (int r = 1; r < Rounds; r++) {
      s = round(s, keys.word + 4 * r);
      t = round(t, keys.word + 4 * r);
    }
    s = last_round(s, keys.word + 4 * Rounds);
    t = last_round(t, keys.word + 4 * Rounds);
  }

  /// The whole equivalent inverse cipher, FIPS 197 section 5.3.5, with KeySchedule::decryption().
  template <int Rounds>
  WARPAES_HOST_DEVICE Columns decrypt(Columns s, const RoundKeys& keys) const {
    s = add_round_key(s, keys, 0);
    WARPAES_UNROLL
    for (int r = 1; r < Rounds; r++) {
      s = {column(s.a, s.d, s.c, s.b) ^ keys.word[4 * r], column(s.b, s.a, s.d, s.c) ^ keys.word[4 * r + 1],
           column(s.c, s.b, s.a, s.d) ^ keys.word[4 * r + 2],
           column(s.d, s.c, s.b, s.a) ^ keys.word[4 * r + 3]};
    }
    const uint32_t* last = keys.word + 4 * Rounds;
    return {
        last_inverse_column(s.a, s.d, s.c, s.b) ^ last[0], last_inverse_column(s.b, s.a, s.d, s.c) ^ last[1],
        last_inverse_column(s.c, s.b, s.a, s.d) ^ last[2], last_inverse_column(s.d, s.c, s.b, s.a) ^ last[3]};
  }

  WARPAES_HOST_DEVICE static Columns add_round_key(Columns s, const RoundKeys& keys, int round) {
    const uint32_t* key = keys.word + 4 * round;
    return {s.a ^ key[0], s.b ^ key[1], s.c ^ key[2], s.d ^ key[3]};
  }

  /// One round, with four words of round key.
  WARPAES_HOST_DEVICE Columns round(Columns s, const uint32_t* key) const {
    return {column(s.a, s.b, s.c, s.d) ^ key[0], column(s.b, s.c, s.d, s.a) ^ key[1],
            column(s.c, s.d, s.a, s.b) ^ key[2], column(s.d, s.a, s.b, s.c) ^ key[3]};
  }
  WARPAES_HOST_DEVICE Columns last_round(Columns s, const uint32_t* key) const {
    return {last_column(s.a, s.b, s.c, s.d) ^ key[0], last_column(s.b, s.c, s.d, s.a) ^ key[1],
            last_column(s.c, s.d, s.a, s.b) ^ key[2], last_column(s.d, s.a, s.b, s.c) ^ key[3]};
  }

 private:
  WARPAES_HOST_DEVICE static uint32_t rotate(uint32_t word, uint32_t bits) {
    return bits == 0 ? word : word << bits | word >> (32 - bits);
  }

  const uint8_t* shared_;
  uint32_t column_;  // where the lane's copies begin; on a GPU an address in shared memory, which its loads
                     // take as it is, with the table as constant offset
};

}  // namespace warpaes::core
