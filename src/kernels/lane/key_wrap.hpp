// Batches of wrapped keys (SP 800-38F), with a message in each lane: KW (RFC 3394) and KWP (RFC 5649).
//
// Each semiblock (8 bytes) takes six blocks of the cipher, and each of these waits for the one before.
// Messages of up to eight semiblocks, enough for any key, stay in registers. The registers rotate by one
// place from block to block, so that the semiblock that is worked on is always the first. Longer messages are
// worked on in the memory where they are written.
//
// Limits. Shared memory, as in lane/block_modes.hpp, but for look-ups only. Timing class: conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"

namespace warpaes::core {

/// A semiblock as two words of the cipher's state.
struct Semiblock {
  uint32_t low, high;
};

/// Loads a semiblock from any address.
/// @param bytes what is left from there on; if fewer than 8, the rest is zero
WARPAES_HOST_DEVICE Semiblock load_semiblock(const uint8_t* from, uint64_t bytes = 8) {
  if (bytes >= 8 && (reinterpret_cast<uintptr_t>(from) & 7) == 0) {
    const uint64_t word = *reinterpret_cast<const uint64_t*>(from);
    return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
  }
  uint64_t word = 0;
  WARPAES_KEEP_ROLLED
  for (uint32_t i = 0; i < 8 && i < bytes; i++) word |= static_cast<uint64_t>(from[i]) << (8 * i);
  return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
}

WARPAES_HOST_DEVICE void store_semiblock(uint8_t* to, Semiblock v) {
  uint64_t word = static_cast<uint64_t>(v.high) << 32 | v.low;
  if ((reinterpret_cast<uintptr_t>(to) & 7) == 0) {
    *reinterpret_cast<uint64_t*>(to) = word;
    return;
  }
  WARPAES_KEEP_ROLLED
  for (uint32_t i = 0; i < 8; i++, word >>= 8) to[i] = static_cast<uint8_t>(word);
}

/// @tparam Mode kw_wrap or kw_unwrap; the arguments say if KWP is meant
/// @tparam Key a LaneKeyOf
template <CipherMode Mode, class Key, class Thread>
class KeyWrapWalk {
 public:
  using Arguments = LaneArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = Mode == CipherMode::kw_unwrap;

  WARPAES_HOST_DEVICE KeyWrapWalk(Thread& thread, const Tables& tables, const LaneArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments) {}

  /// @param message,step this lane's first message, and the distance to its next ones; all lanes of a warp
  ///        call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    message_ = message;
    for (;;) {
      if (left_ == 0) take(step);
      if (!thread_.any(left_ != 0)) return;
      turn();
      if (left_ == 0) continue;
      if (--left_ == 0) {
        finish();
        message_ += step;
      }
    }
  }

 private:
  static constexpr uint32_t kKept = 8;
  /// ICV1 of section 6.2 and ICV2 of section 6.3, with byte 0 in the low bits.
  static constexpr uint32_t kCheck = 0xa6a6a6a6u, kPaddedCheck = 0xa65959a6u;

  WARPAES_HOST_DEVICE bool is_kept() const { return count_ <= kKept; }

  /// Takes this lane's next message that is not refused, beginning with the present one.
  WARPAES_HOST_DEVICE void take(uint32_t step) {
    for (; message_ < arguments_.messages; message_ += step) {
      const LaneMessage found = lane_message<true>(arguments_, message_);
      const int32_t status = status_of(found);
      arguments_.report(message_, status, 0);
      if (status != WARPAES_OK) continue;
      begin(found);
      key_.take(message_);
      return;
    }
  }

  /// Section 5.3.1: KW takes 2 semiblocks or more, KWP 1 to 2^32 - 1 bytes.
  WARPAES_HOST_DEVICE int32_t status_of(const LaneMessage& found) const {
    const uint64_t bytes = found.bytes, most = uint64_t{1} << 32;
    const bool padded = arguments_.with_padding;
    const uint64_t least = (padded ? (kInverts ? 16 : 1) : kInverts ? 24 : 16);
    const bool whole = bytes % 8 == 0 || (padded && !kInverts);
    const bool too_long = padded && bytes > (kInverts ? most + 8 : most - 1);
    if (bytes > arguments_.bytes || bytes < least || !whole || too_long) return WARPAES_ERROR_LENGTH;
    return pointers_status<true>(arguments_, message_, found, kInverts ? bytes - 8 : (bytes + 7) / 8 * 8 + 8);
  }

  WARPAES_HOST_DEVICE void begin(const LaneMessage& found) {
    count_ = kInverts ? found.bytes / 8 - 1 : (found.bytes + 7) / 8;
    left_ = count_ == 1 ? 1 : 6 * count_;
    output_ = found.output;
    if constexpr (kInverts) {
      check_ = load_semiblock(found.input);
    } else {
      check_ = arguments_.with_padding
                   ? Semiblock{reverse_bytes(kPaddedCheck), reverse_bytes(static_cast<uint32_t>(found.bytes))}
                   : Semiblock{kCheck, kCheck};
    }
    const uint8_t* const from = found.input + (kInverts ? 8 : 0);
    const uint64_t bytes = found.bytes - (kInverts ? 8 : 0);
    if (is_kept()) {
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kKept; k++) {
        if (k < count_) piece_[k] = load_semiblock(from + 8 * in_order(k), bytes - 8 * in_order(k));
      }
      return;
    }
    // In place, the semiblocks move by one: when wrapping, upwards, and therefore from the last to the first.
    index_ = kInverts ? count_ - 1 : 0;
    WARPAES_KEEP_ROLLED
    for (uint64_t k = 0; k < count_; k++) {
      const uint64_t i = kInverts ? k : count_ - 1 - k;
      store_semiblock(pieces_at() + 8 * i, load_semiblock(from + 8 * i, bytes - 8 * i));
    }
  }

  /// The index of the semiblock that is worked on k-th. Unwrapping begins with the last.
  WARPAES_HOST_DEVICE uint64_t in_order(uint64_t k) const { return kInverts ? count_ - 1 - k : k; }

  WARPAES_HOST_DEVICE uint8_t* pieces_at() const { return output_ + (kInverts ? 0 : 8); }

  /// One step of W or of its inverse (section 6.1). Lanes without a message take part, so that the warp stays
  /// together.
  WARPAES_HOST_DEVICE void turn() {
    const bool kept = is_kept() || left_ == 0;
    const uint64_t step = count_ == 1 ? 0 : kInverts ? left_ : 6 * count_ - left_ + 1;
    if constexpr (kInverts) count_in(step);
    const Semiblock piece = kept ? piece_[0] : load_semiblock(pieces_at() + 8 * index_);
    Columns block{check_.low, check_.high, piece.low, piece.high};
    if constexpr (kInverts) {
      block = key_.decrypt(block);
    } else {
      block = key_.encrypt(block);
    }
    check_ = {block.a, block.b};
    if constexpr (!kInverts) count_in(step);
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kKept; k++) {
      const Semiblock next = k + 1 < kKept ? piece_[k + 1 < kKept ? k + 1 : k] : piece_[k];
      piece_[k] = k + 1 == count_ ? Semiblock{block.c, block.d} : next;
    }
    if (kept) return;
    store_semiblock(pieces_at() + 8 * index_, {block.c, block.d});
    if constexpr (kInverts) {
      index_ = index_ == 0 ? count_ - 1 : index_ - 1;
    } else {
      index_ = index_ + 1 == count_ ? 0 : index_ + 1;
    }
  }

  /// Adds the step's number, big-endian, to the check value.
  WARPAES_HOST_DEVICE void count_in(uint64_t step) {
    check_.low ^= reverse_bytes(static_cast<uint32_t>(step >> 32));
    check_.high ^= reverse_bytes(static_cast<uint32_t>(step));
  }

  WARPAES_HOST_DEVICE void finish() {
    uint64_t bytes = 8 * count_;
    bool right = true;
    if constexpr (kInverts) {
      const uint64_t wrong =
          arguments_.with_padding ? wrong_bits(bytes) : (check_.low ^ kCheck) | (check_.high ^ kCheck);
      right = wrong == 0;
      arguments_.report(message_, right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION, right ? bytes : 0);
    } else {
      arguments_.report(message_, WARPAES_OK, bytes + 8);
      store_semiblock(output_, check_);
    }
    const uint32_t mask = right ? ~0u : 0;
    if (is_kept()) {
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kKept; k++) {
        if (k >= count_) continue;
        store_semiblock(pieces_at() + 8 * in_order(k), {piece_[k].low & mask, piece_[k].high & mask});
      }
    } else if (!right) {
      WARPAES_KEEP_ROLLED
      for (uint64_t i = 0; i < count_; i++) store_semiblock(output_ + 8 * i, {0, 0});
    }
  }

  /// Section 6.3, KWP-AD: checks the constant, and that there are fewer than 8 bytes of padding, all of them
  /// zero. By arithmetic on words, as a branch or an early exit would tell which of them is wrong.
  /// @param bytes the length of the message with its padding; becomes the length without
  /// @return 0 if all is right
  WARPAES_HOST_DEVICE uint64_t wrong_bits(uint64_t& bytes) const {
    const Semiblock last = is_kept() ? piece_[0] : load_semiblock(output_ + bytes - 8);
    const uint64_t text = static_cast<uint64_t>(reverse_bytes(last.low)) << 32 | reverse_bytes(last.high);
    const uint32_t said = reverse_bytes(check_.high);
    const uint64_t padding = bytes - said;
    bytes = said;
    const uint64_t in_padding = (uint64_t{1} << (8 * (padding % 8))) - 1;
    return (check_.low ^ reverse_bytes(kPaddedCheck)) | padding >> 3 | (text & in_padding);
  }

  Thread& thread_;
  const LaneArguments& arguments_;
  Key key_;
  uint32_t message_ = 0;
  uint8_t* output_ = nullptr;
  // How many semiblocks the message has, how many steps are left, and which semiblock of a longer message
  // comes next.
  uint64_t count_ = 0, left_ = 0, index_ = 0;
  Semiblock check_{0, 0};
  Semiblock piece_[kKept] = {};
};

namespace kernels::lane {

/// The kernel of KW and KWP; the arguments say which.
template <warpaes_direction Way, LaneKeys Keys>
struct KeyWrap : ForEveryKeySize {
  static constexpr const char* kName = "lane/key_wrap";
  using Arguments = LaneArguments;

  static constexpr CipherMode kMode =
      Way == WARPAES_DIRECTION_ENCRYPT ? CipherMode::kw_wrap : CipherMode::kw_unwrap;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return lane_policy(on, Keys, kMode, Keys == LaneKeys::one ? on.lane_threads : on.lane_key_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Key = LaneKeyOf<Keys, inverts_cipher(kMode), kPolicy.tables, Rounds>;
    walk_once<KeyWrapWalk<kMode, Key, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
