// A key of a lane's own for the inverse cipher, which needs round keys from the last to the first.
//
// KeyExpansion() (FIPS 197 section 5.2) runs backwards too: w[i - Nk] = w[i] ^ g(w[i - 1]). So the lane
// expands its message's key forwards once, keeps the last Nk words of the schedule, and walks back from them
// for each block. As forwards, that takes 4 look-ups in the S-box a round.
//
// The inverse cipher by tables (FIPS 197 section 5.3.5) takes round keys to which InvMixColumns has been
// applied. InvMixColumns is linear, so the lane walks back along words to which it has been applied already.
// Only the argument of g has to be brought back, by MixColumns of one word a round. The result of g needs
// InvMixColumns again. Half of that comes from a table of the cipher: MixColumns applied four times is the
// identity, so InvMixColumns(SubWord(w)) is MixColumns applied twice to what four entries of the table, which
// contain it once, add up to.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/lane_keys.hpp"
#include "primitives/mixed_columns.hpp"

namespace warpaes::core {

/// InvMixColumns (section 5.3.3) of the column (constant, 0, 0, 0), in plain arithmetic, so that the compiler
/// computes it.
WARPAES_HOST_DEVICE uint32_t inverse_mixed_constant(uint32_t constant) {
  const auto doubled = [](uint32_t byte) { return byte << 1 ^ (byte >> 7) * 0x11b; };
  const uint32_t c2 = doubled(constant), c4 = doubled(c2), c8 = doubled(c4);
  return (c8 ^ c4 ^ c2) | (c8 ^ constant) << 8 | (c8 ^ c4 ^ constant) << 16 | (c8 ^ c2 ^ constant) << 24;
}

/// Tables of the inverse cipher, and one table of the cipher behind them.
template <int Tables>
struct TablesOfBothWays {
  using Inverse = LanePrivateTables<Tables>;
  using Cipher = LanePrivateTables<1>;

  WARPAES_HOST_DEVICE TablesOfBothWays(const uint8_t* shared, uint32_t lane)
      : inverse(shared, lane), cipher(shared + Tables * kTableBytes, lane) {}

  /// Fills this thread's share of the tables. A barrier must follow.
  WARPAES_HOST_DEVICE static void fill(uint8_t* shared, const uint32_t* t0, const uint32_t* inverse_t0,
                                       uint32_t thread, uint32_t threads) {
    Inverse::fill(shared, inverse_t0, thread, threads);
    Cipher::fill(shared + Tables * kTableBytes, t0, thread, threads);
  }

  Inverse inverse;
  Cipher cipher;
};

/// A lane's own key for decryption.
template <int Tables, int Rounds>
class OwnInverseLaneKey {
 public:
  using Lane = TablesOfBothWays<Tables>;

  WARPAES_HOST_DEVICE OwnInverseLaneKey(const Lane& tables, const LaneKeyArguments& arguments)
      : tables_(tables), arguments_(arguments) {}

  /// Takes the message's key.
  WARPAES_HOST_DEVICE void take(uint32_t message) {
    const KeyWords<kKeyWords> key(arguments_.key(message));
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) window_[i] = key.word[i];
    WARPAES_UNROLL
    for (int i = 0; i < 4; i++) first_[i] = key.word[i];
    expand();
    WARPAES_UNROLL
    for (int i = 0; i < 4; i++) last_[i] = window_[(kWords - 4 + i) % kKeyWords];
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) window_[i] = inverse_mixed_column(window_[i]);
  }

  WARPAES_HOST_DEVICE Columns decrypt(Columns s) const {
    const auto& inverse = tables_.inverse;
    uint32_t window[kKeyWords];
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) window[i] = window_[i];
    uint32_t constant = kLastConstant;
    s = s ^ Columns{last_[0], last_[1], last_[2], last_[3]};
    WARPAES_UNROLL
    for (int r = Rounds - 1; r > 0; r--) {
      uint32_t key[4];
      WARPAES_UNROLL
      for (int i = 3; i >= 0; i--) key[i] = word_before(window, 4 * r + i, constant);
      s = {inverse.column(s.a, s.d, s.c, s.b) ^ key[0], inverse.column(s.b, s.a, s.d, s.c) ^ key[1],
           inverse.column(s.c, s.b, s.a, s.d) ^ key[2], inverse.column(s.d, s.c, s.b, s.a) ^ key[3]};
    }
    return {inverse.last_inverse_column(s.a, s.d, s.c, s.b) ^ first_[0],
            inverse.last_inverse_column(s.b, s.a, s.d, s.c) ^ first_[1],
            inverse.last_inverse_column(s.c, s.b, s.a, s.d) ^ first_[2],
            inverse.last_inverse_column(s.d, s.c, s.b, s.a) ^ first_[3]};
  }

 private:
  static constexpr int kKeyWords = Rounds - 6, kWords = 4 * (Rounds + 1);
  /// The last round constant that KeyExpansion() adds: Rcon[(kWords - 1) / kKeyWords], which is number 10, 8
  /// or 7.
  static constexpr uint32_t kLastConstant = Rounds == 10 ? 0x36 : Rounds == 12 ? 0x80 : 0x40;

  /// The window becomes the last kKeyWords words of the schedule.
  WARPAES_HOST_DEVICE void expand() {
    uint32_t constant = 1;
    WARPAES_KEEP_ROLLED
    for (int at = kKeyWords; at + kKeyWords <= kWords; at += kKeyWords) {
      expand_words<kKeyWords>(constant);
      constant = constant << 1 ^ (constant >> 7) * 0x11b;
    }
    expand_words<kWords % kKeyWords>(constant);
  }

  /// Makes the next Count words, the first of which begins a round of KeyExpansion().
  template <int Count>
  WARPAES_HOST_DEVICE void expand_words(uint32_t constant) {
    WARPAES_UNROLL
    for (int i = 0; i < Count; i++) {
      uint32_t word = window_[(i + kKeyWords - 1) % kKeyWords];
      if (i == 0) word = substituted(word >> 8 | word << 24) ^ constant;
      if (kKeyWords > 6 && i == 4) word = substituted(word);
      window_[i] ^= word;
    }
  }

  /// SubWord() of FIPS 197 section 5.2.
  WARPAES_HOST_DEVICE uint32_t substituted(uint32_t word) const {
    return tables_.cipher.last_column(word, word, word, word);
  }

  /// InvMixColumns of word i of the schedule. Words are asked for from the last to the first. The window
  /// holds InvMixColumns of the kKeyWords words behind word i or, at first, of the schedule's last ones.
  WARPAES_HOST_DEVICE uint32_t word_before(uint32_t (&window)[kKeyWords], int i, uint32_t& constant) const {
    if (i >= kWords - kKeyWords) return window[i % kKeyWords];
    const uint32_t previous = window[(i + kKeyWords - 1) % kKeyWords];
    uint32_t word = previous;
    if (i % kKeyWords == 0) {
      word = mixed_column(previous);
      word = inverse_mixed_substituted(word >> 8 | word << 24) ^ inverse_mixed_constant(constant);
      constant = constant >> 1 ^ (constant & 1) * 0x8d;
    } else if (kKeyWords > 6 && i % kKeyWords == 4) {
      word = inverse_mixed_substituted(mixed_column(previous));
    }
    return window[i % kKeyWords] ^= word;
  }

  /// InvMixColumns(SubWord(word)).
  WARPAES_HOST_DEVICE uint32_t inverse_mixed_substituted(uint32_t word) const {
    return twice_mixed_column(tables_.cipher.column(word, word, word, word));
  }

  const Lane& tables_;
  const LaneKeyArguments& arguments_;
  uint32_t window_[kKeyWords] = {};        // InvMixColumns of the schedule's last words
  uint32_t last_[4] = {}, first_[4] = {};  // the schedule's last four words and its first four, unchanged
};

/// The key of a lane whose mode inverts the cipher, or does not.
template <LaneKeys Keys, bool Inverts, int Tables, int Rounds>
using LaneKeyOf = std::conditional_t<Inverts && Keys == LaneKeys::each, OwnInverseLaneKey<Tables, Rounds>,
                                     LaneKey<Keys, Tables, Rounds>>;

/// Does the mode need tables of both directions, those of the inverse cipher and one of the cipher?
WARPAES_HOST_DEVICE constexpr bool needs_both_ways(LaneKeys keys, CipherMode mode) {
  return inverts_cipher(mode) && (keys == LaneKeys::each || is_xts(mode));
}

/// The policy of a kernel in which each lane has a message.
WARPAES_HOST_DEVICE constexpr kernels::KernelPolicy lane_policy(const LaunchPolicy& on, LaneKeys keys,
                                                                CipherMode mode, int threads) {
  return needs_both_ways(keys, mode) ? kernels::with_one_more_table(on.tables_with_room, threads)
                                     : kernels::with_tables(on.tables, threads);
}

}  // namespace warpaes::core
