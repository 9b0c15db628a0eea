// The key of a lane that walks messages of its own: one for all messages, or one for each.
#pragma once

#include <type_traits>

#include "kernels/block_access.hpp"
#include "primitives/chaining.hpp"

namespace warpaes {

/// Of the messages of a batch.
enum class LaneKeys { one, each };

struct LaneKeyArguments {
  RoundKeys keys;  // KeySchedule::encryption(), or decryption() for modes that invert the cipher
  Columns whole_mask, padded_mask;  // MacMasks
  const uint8_t* each;              // or, if there is a key for each message, the first of them,
  uint64_t each_stride;             // and how far the next one is
};

/// A last block's masks of CMAC, chosen for the block's length, with its padding: a one bit and zeros (SP
/// 800-38B section 6.2).
/// @param mask K1 of a whole block, K2 of a shorter one
WARPAES_HOST_DEVICE Columns padded(Columns mask, uint32_t bytes) {
  if (bytes == 16) return mask;
  const uint32_t one = 0x80u << (8 * (bytes % 4)), column = bytes / 4;
  return mask ^
         Columns{column == 0 ? one : 0, column == 1 ? one : 0, column == 2 ? one : 0, column == 3 ? one : 0};
}

/// A key as it lies in memory, as words.
template <int Words>
struct LaneKeyWords {
  uint32_t word[Words];

  WARPAES_HOST_DEVICE explicit LaneKeyWords(const uint8_t* from) {
    const Columns first = load_bytes(from, 16), second = load_bytes(from + 16, 4 * Words - 16);
    word[0] = first.a, word[1] = first.b, word[2] = first.c, word[3] = first.d;
    if constexpr (Words > 4) word[4] = second.a, word[5] = second.b;
    if constexpr (Words > 6) word[6] = second.c, word[7] = second.d;
  }
};

/// Expanded by the host: all lanes read the same words, as kernel parameters, which costs nothing.
template <int Tables, int Rounds>
class SharedLaneKey {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr bool kOwn = false;

  WARPAES_HOST_DEVICE SharedLaneKey(const Lane& tables, const LaneKeyArguments& arguments)
      : tables_(tables), arguments_(arguments) {}

  WARPAES_HOST_DEVICE void take(uint32_t) {}
  WARPAES_HOST_DEVICE void keep_rolled() {}

  WARPAES_HOST_DEVICE Columns encrypt(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }
  /// Two blocks that do not wait for each other.
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t) const {
    tables_.template encrypt_both<Rounds>(s, t, arguments_.keys);
  }
  WARPAES_HOST_DEVICE Columns decrypt(Columns block) const {
    return tables_.template decrypt<Rounds>(block, arguments_.keys);
  }
  /// For a last block of so many bytes.
  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const {
    return padded(bytes == 16 ? arguments_.whole_mask : arguments_.padded_mask, bytes);
  }

 private:
  const Lane& tables_;
  const LaneKeyArguments& arguments_;
};

/// Each lane's own: there are no registers for a schedule, and memory is no place for one. So the lane keeps
/// the key, and expands it again for each block, round by round, with the S-box of its own table: 4 look-ups
/// a round beside 16. Round keys come in this order only: for the inverse cipher see inverse_lane_key.hpp.
template <int Tables, int Rounds>
class OwnLaneKey {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr bool kOwn = true;

  WARPAES_HOST_DEVICE OwnLaneKey(const Lane& tables, const LaneKeyArguments& arguments)
      : tables_(tables), arguments_(arguments) {}

  /// The message's key.
  WARPAES_HOST_DEVICE void take(uint32_t message) { take_from(arguments_.each, message); }
  /// The second of two keys that lie side by side.
  WARPAES_HOST_DEVICE void take_second(uint32_t message) {
    take_from(arguments_.each + 4 * kKeyWords, message);
  }

  /// For loops around encrypt() that store nothing: without it, the compiler would expand the key before the
  /// loop, and spill it.
  WARPAES_HOST_DEVICE void keep_rolled() {
#if defined(__CUDA_ARCH__)
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) asm volatile("" : "+r"(key_[i]));
#endif
  }

  WARPAES_HOST_DEVICE Columns encrypt(Columns s) const {
    for_each_round_key([&](int r, const uint32_t (&key)[4]) { s = after_round(r, s, key); });
    return s;
  }
  /// Two blocks that do not wait for each other, with one expansion.
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t) const {
    for_each_round_key([&](int r, const uint32_t (&key)[4]) {
      s = after_round(r, s, key);
      t = after_round(r, t, key);
    });
  }

  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const { return mask_of(encrypt({0, 0, 0, 0}), bytes); }
  /// For callers that keep what a block of zeros is encrypted to.
  WARPAES_HOST_DEVICE static Columns mask_of(Columns encrypted_zeros, uint32_t bytes) {
    Columns subkey = mac_doubled(encrypted_zeros);
    if (bytes != 16) subkey = mac_doubled(subkey);
    return padded(subkey, bytes);
  }

 private:
  static constexpr int kKeyWords = Rounds - 6;

  /// @param use (int round, const uint32_t (&key)[4]), which is called in the order of rounds
  template <class Use>
  WARPAES_HOST_DEVICE void for_each_round_key(const Use& use) const {
    uint32_t window[kKeyWords];
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) window[i] = key_[i];
    uint32_t constant = 1;
    WARPAES_UNROLL
    for (int r = 0; r <= Rounds; r++) {
      uint32_t key[4];
      WARPAES_UNROLL
      for (int i = 0; i < 4; i++) key[i] = next_word(window, 4 * r + i, constant);
      use(r, key);
    }
  }

  WARPAES_HOST_DEVICE Columns after_round(int r, Columns s, const uint32_t (&key)[4]) const {
    if (r == 0) return s ^ Columns{key[0], key[1], key[2], key[3]};
    return r < Rounds ? tables_.round(s, key) : tables_.last_round(s, key);
  }

  WARPAES_HOST_DEVICE void take_from(const uint8_t* first, uint32_t message) {
    const LaneKeyWords<kKeyWords> key(first + message * arguments_.each_stride);
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) key_[i] = key.word[i];
  }

  /// KeyExpansion(), FIPS 197 section 5.2, word i. The window holds the last kKeyWords words.
  WARPAES_HOST_DEVICE uint32_t next_word(uint32_t (&window)[kKeyWords], int i, uint32_t& constant) const {
    if (i < kKeyWords) return window[i];
    uint32_t word = window[(i - 1) % kKeyWords];
    if (i % kKeyWords == 0) {
      word = word >> 8 | word << 24;  // RotWord(), the word's byte 0 being in its low bits
      word = tables_.last_column(word, word, word, word) ^ constant;
      constant = constant << 1 ^ (constant >> 7) * 0x11b;
    } else if (kKeyWords > 6 && i % kKeyWords == 4) {
      word = tables_.last_column(word, word, word, word);
    }
    return window[i % kKeyWords] ^= word;
  }

  /// SP 800-38B section 6.1, as primitives/chaining.hpp has it for bytes.
  WARPAES_HOST_DEVICE static Columns mac_doubled(Columns block) {
    const uint32_t a = reverse_bytes(block.a), b = reverse_bytes(block.b), c = reverse_bytes(block.c),
                   d = reverse_bytes(block.d);
    return {reverse_bytes(a << 1 | b >> 31), reverse_bytes(b << 1 | c >> 31), reverse_bytes(c << 1 | d >> 31),
            reverse_bytes(d << 1 ^ (a >> 31) * 0x87)};
  }

  const Lane& tables_;
  const LaneKeyArguments& arguments_;
  uint32_t key_[kKeyWords] = {};
};

template <LaneKeys Keys, int Tables, int Rounds>
using LaneKey =
    std::conditional_t<Keys == LaneKeys::one, SharedLaneKey<Tables, Rounds>, OwnLaneKey<Tables, Rounds>>;

}  // namespace warpaes
