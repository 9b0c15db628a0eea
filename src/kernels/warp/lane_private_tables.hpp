// 32 copies of the T-tables, one for each lane of a warp.
//
// Idea. Shared memory has 32 banks of 4 bytes. Copy l of a table lies in bank l, and lane l reads only that
// copy. So a warp's 32 look-ups are one access without conflicts, whatever the data: nothing that depends on
// secrets can be timed, and the rate of look-ups is the highest that shared memory has.
//
// Layout. Each byte value v has a row of 128 bytes with 32 copies of T_k[v], and the tables lie one behind
// the other. So the address of T_k[byte j of w] is (byte j) * 128 + lane * 4 + k * 32 KiB. One dot product of
// four bytes with (128 in place j, 0 elsewhere) computes it, and adds lane * 4 on its way; k is a constant
// offset of the load. Dot products run on the multiplier, so the logic units only have to XOR the words that
// were looked up, and stay free for other work.
//
// Source: replicated tables, Tezcan, IEEE Access 2021; the row in one instruction is this project's.
#pragma once

#include <cstdint>

#include "kernels/policy.hpp"
#include "primitives/columns.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {

/// addend + 128 * (byte Byte of word), computed on the multiplier.
template <int Byte>
WARPAES_HOST_DEVICE uint32_t byte_times_128(uint32_t word, uint32_t addend) {
#if defined(__CUDA_ARCH__)
  return __dp4a(word, 128u << (8 * Byte), addend);
#else
  return ((word >> (8 * Byte)) & 0xff) * 128 + addend;
#endif
}

/// Ends the start of a kernel that fills tables, which needs nothing that other kernels write: waits for what
/// comes before the kernel (kernel.hpp), and until the whole thread block has filled its tables.
template <class Thread>
WARPAES_HOST_DEVICE void end_fill(Thread& thread) {
  thread.await_predecessors();
  thread.barrier();
}

/// One lane's view of the tables.
/// @tparam Tables 4 or 2 (LaunchPolicy::tables); or 1, where it would take longer to fill more of them than
///        to do the work
template <int Tables>
class LanePrivateTables {
 public:
  WARPAES_HOST_DEVICE LanePrivateTables(const uint8_t* shared, uint32_t lane)
      : shared_(shared), column_(lane * 4) {
#if defined(__CUDA_ARCH__)
    column_ += static_cast<uint32_t>(__cvta_generic_to_shared(shared));
#endif
  }

  /// Fills this thread's share of the tables. A barrier must follow. Eight threads write a row, 16 bytes
  /// each, and each of them loads only one word for that row of all tables.
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

  /// T_k of the byte in row k, as needed for a column.
  WARPAES_HOST_DEVICE uint32_t t0(uint32_t word) const { return look_up<0, 0>(word); }
  WARPAES_HOST_DEVICE uint32_t t1(uint32_t word) const { return look_up<1, 1>(word); }
  WARPAES_HOST_DEVICE uint32_t t2(uint32_t word) const { return look_up<2, 2>(word); }
  WARPAES_HOST_DEVICE uint32_t t3(uint32_t word) const { return look_up<3, 3>(word); }

  /// SubBytes, ShiftRows and MixColumns of a column; its rows 0 to 3 come from w, x, y and z.
  WARPAES_HOST_DEVICE uint32_t column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    if constexpr (Tables != 2) {
      return t0(w) ^ t1(x) ^ t2(y) ^ t3(z);
    } else {  // one rotation serves both
      return t0(w) ^ t1(x) ^ rotate(look_up<0, 2>(y) ^ look_up<1, 3>(z), 16);
    }
  }

  /// A column of the last round, which has no MixColumns: the S-box stands in bytes 1 and 2 of T0, where the
  /// factor of MixColumns is 1.
  WARPAES_HOST_DEVICE uint32_t last_column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    const uint32_t low = permute_bytes<0x0051>(look_up<0, 0>(w), look_up<0, 1>(x));
    const uint32_t high = permute_bytes<0x0051>(look_up<0, 2>(y), look_up<0, 3>(z));
    return permute_bytes<0x5410>(low, high);
  }

  /// The same for decryption. InvMixColumns has no factor 1, but its factors add up to 1: 14 + 9 + 13 + 11 =
  /// 1 in GF(2^8). So the sum of an entry's four bytes is the inverse S-box, and no fifth table is needed.
  WARPAES_HOST_DEVICE uint32_t last_inverse_column(uint32_t w, uint32_t x, uint32_t y, uint32_t z) const {
    const uint32_t t0 = look_up<0, 0>(w), t1 = look_up<0, 1>(x), t2 = look_up<0, 2>(y), t3 = look_up<0, 3>(z);
    const uint32_t low = permute_bytes<0x5140>(t0, t1) ^ permute_bytes<0x7362>(t0, t1);
    const uint32_t high = permute_bytes<0x5140>(t2, t3) ^ permute_bytes<0x7362>(t2, t3);
    return permute_bytes<0x5410>(low, high) ^ permute_bytes<0x7632>(low, high);
  }

  /// The rounds from round From to the last one. The round keys of all rounds before have been added to the
  /// state.
  /// @tparam Keys RoundKeys, or what has as many of its words as the key size needs
  template <int Rounds, int From, class Keys>
  WARPAES_HOST_DEVICE Columns encrypt(Columns s, const Keys& keys) const {
    WARPAES_UNROLL
    for (int r = From; r < Rounds; r++) s = round(s, keys.word + 4 * r);
    return last_round(s, keys.word + 4 * Rounds);
  }

  /// The whole cipher as a loop whose body is one round. It serves where blocks are few, and unrolled code
  /// would push other code out of the instruction cache.
  template <int Rounds>
  WARPAES_HOST_DEVICE Columns encrypt_rolled(Columns s, const RoundKeys& keys) const {
    s = add_round_key(s, keys, 0);
    WARPAES_KEEP_ROLLED
    for (int r = 1; r < Rounds; r++) s = round(s, keys.word + 4 * r);
    return last_round(s, keys.word + 4 * Rounds);
  }

  /// The same for two blocks, round by round: while the words for one are being looked up, those for the
  /// other are added, and a round key is loaded once for both.
  template <int Rounds, int From, class Keys>
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t, const Keys& keys) const {
    WARPAES_UNROLL
    for (int r = From; r < Rounds; r++) {
      s = round(s, keys.word + 4 * r);
      t = round(t, keys.word + 4 * r);
    }
    s = last_round(s, keys.word + 4 * Rounds);
    t = last_round(t, keys.word + 4 * Rounds);
  }

  /// The whole equivalent inverse cipher (FIPS 197 section 5.3.5), with round keys of
  /// KeySchedule::decryption().
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

  template <class Keys>
  WARPAES_HOST_DEVICE static Columns add_round_key(Columns s, const Keys& keys, int round) {
    const uint32_t* key = keys.word + 4 * round;
    return {s.a ^ key[0], s.b ^ key[1], s.c ^ key[2], s.d ^ key[3]};
  }

  /// One round, with its four words of round key.
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
  // Where the lane's copies begin. On a GPU this is an address in shared memory, which loads take as it is,
  // with the table as a constant offset.
  uint32_t column_;
};

}  // namespace warpaes::core
