// The key that a lane uses for the message that it walks: one key for all messages of a batch, or one for
// each.
#pragma once

#include <type_traits>

#include "kernels/warp/key_words.hpp"
#include "primitives/chaining.hpp"
#include "primitives/gf_double.hpp"

namespace warpaes::core {

/// Which keys a batch has: one for all messages, or one for each.
enum class LaneKeys { one, each };

struct LaneKeyArguments {
  RoundKeys keys;  // KeySchedule::encryption(), or decryption() for modes that invert the cipher
  Columns whole_mask, padded_mask;  // MacMasks
  const uint8_t* each;              // with a key for each message: the first of them
  uint64_t each_stride;             // the distance from one message's key to the next
  const uint8_t* const* keys_at;    // if not null, the addresses of the keys instead

  /// The message's key. If it is null, the message is refused.
  WARPAES_HOST_DEVICE const uint8_t* key(uint32_t message) const {
    return keys_at != nullptr ? keys_at[message] : each + message * each_stride;
  }
  /// Is there a key for the message, a common one or its own?
  WARPAES_HOST_DEVICE bool has_key(uint32_t message) const {
    return keys_at == nullptr || keys_at[message] != nullptr;
  }
};

/// A key that the host has expanded. All lanes read the same words of it, which are kernel parameters; that
/// costs nothing.
template <int Tables, int Rounds>
class SharedLaneKey {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr bool kOwn = false;

  WARPAES_HOST_DEVICE SharedLaneKey(const Lane& tables, const LaneKeyArguments& arguments)
      : tables_(tables), arguments_(arguments) {}

  WARPAES_HOST_DEVICE void take(uint32_t) {}
  WARPAES_HOST_DEVICE void take_second(uint32_t) {}
  WARPAES_HOST_DEVICE void keep_rolled() {}

  WARPAES_HOST_DEVICE Columns encrypt(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }
  /// Encrypts two blocks that do not wait for each other.
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t) const {
    const RoundKeys& keys = arguments_.keys;
    s = Lane::add_round_key(s, keys, 0);
    t = Lane::add_round_key(t, keys, 0);
    tables_.template encrypt_both<Rounds, 1>(s, t, keys);
  }
  WARPAES_HOST_DEVICE Columns decrypt(Columns block) const {
    return tables_.template decrypt<Rounds>(block, arguments_.keys);
  }
  /// The mask of CMAC for a last block of so many bytes.
  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const {
    return padded(bytes == 16 ? arguments_.whole_mask : arguments_.padded_mask, bytes);
  }

 private:
  const Lane& tables_;
  const LaneKeyArguments& arguments_;
};

/// A key of each lane's own. There are no registers for a key schedule, and memory is no place for one. So
/// the lane keeps the key, and expands it anew for each block, round by round, with the S-box of its own
/// table: 4 look-ups a round besides 16. Round keys come in ascending order only; for the inverse cipher
/// there is lane/inverse_lane_key.hpp.
template <int Tables, int Rounds>
class OwnLaneKey {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr bool kOwn = true;

  WARPAES_HOST_DEVICE OwnLaneKey(const Lane& tables, const LaneKeyArguments& arguments)
      : tables_(tables), arguments_(arguments) {}

  /// Takes the message's key.
  WARPAES_HOST_DEVICE void take(uint32_t message) { take_from(arguments_.key(message)); }
  /// Takes the second of two keys that lie side by side.
  WARPAES_HOST_DEVICE void take_second(uint32_t message) {
    take_from(arguments_.key(message) + 4 * kKeyWords);
  }

  /// To be called in loops around encrypt() that store nothing. Without it the compiler would expand the key
  /// before the loop, and spill it.
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
  /// Encrypts two blocks that do not wait for each other, and expands the key once for both.
  WARPAES_HOST_DEVICE void encrypt_both(Columns& s, Columns& t) const {
    for_each_round_key([&](int r, const uint32_t (&key)[4]) {
      s = after_round(r, s, key);
      t = after_round(r, t, key);
    });
  }

  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const { return mask_of(encrypt({0, 0, 0, 0}), bytes); }
  /// The mask of CMAC, for callers that keep the encryption of a block of zeros.
  WARPAES_HOST_DEVICE static Columns mask_of(Columns encrypted_zeros, uint32_t bytes) {
    Columns subkey = doubled(encrypted_zeros);
    if (bytes != 16) subkey = doubled(subkey);
    return padded(subkey, bytes);
  }

 private:
  static constexpr int kKeyWords = Rounds - 6;

  /// @param use (int round, const uint32_t (&key)[4]), called for each round in ascending order
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

  WARPAES_HOST_DEVICE void take_from(const uint8_t* from) {
    const KeyWords<kKeyWords> key(from);
    WARPAES_UNROLL
    for (int i = 0; i < kKeyWords; i++) key_[i] = key.word[i];
  }

  /// Word i of KeyExpansion() (FIPS 197 section 5.2). The window holds the kKeyWords words before it.
  WARPAES_HOST_DEVICE uint32_t next_word(uint32_t (&window)[kKeyWords], int i, uint32_t& constant) const {
    if (i < kKeyWords) return window[i];
    return window[i % kKeyWords] ^=
           key_expansion_step<kKeyWords>(tables_, window[(i - 1) % kKeyWords], i, constant);
  }

  const Lane& tables_;
  const LaneKeyArguments& arguments_;
  uint32_t key_[kKeyWords] = {};
};

template <LaneKeys Keys, int Tables, int Rounds>
using LaneKey =
    std::conditional_t<Keys == LaneKeys::one, SharedLaneKey<Tables, Rounds>, OwnLaneKey<Tables, Rounds>>;

}  // namespace warpaes::core
