// Batches of wrapped keys, SP 800-38F: KW (RFC 3394) and KWP (RFC 5649), a lane each.
//
// Six blocks of the cipher for each semiblock (8 bytes), each of which waits for the one before. Messages of
// up to eight semiblocks, which are the keys that there are, stay in registers: those turn by one place from
// block to block, so that the one that is worked on is always the first. Longer ones are worked on where they
// are written.
//
// Limits. Shared memory, as lane/block_modes.hpp: look-ups only. Timing class: conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"

namespace warpaes::core {

/// A semiblock as the cipher's columns hold it.
struct Semiblock {
  uint32_t low, high;
};

/// Semiblocks at any address.
/// @param bytes of what begins there: of fewer than 8, the rest is zero
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

/// @tparam Mode kw_wrap or kw_unwrap; arguments say if KWP is meant
/// @tparam Key LaneKeyOf
template <CipherMode Mode, class Key, class Thread>
class KeyWrapWalk {
 public:
  using Arguments = LaneArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = Mode == CipherMode::kw_unwrap;

  WARPAES_HOST_DEVICE KeyWrapWalk(Thread& thread, const Tables& tables, const LaneArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments) {}

  /// @param message,step this lane's first message, and how far the next one is; all lanes of a warp call
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
  /// ICV1 of section 6.2 and ICV2 of section 6.3, byte 0 in the low bits.
  static constexpr uint32_t kCheck = 0xa6a6a6a6u, kPaddedCheck = 0xa65959a6u;

  WARPAES_HOST_DEVICE bool is_kept() const { return count_ <= kKept; }

  /// The next message that is not wrong, from this one on.
  WARPAES_HOST_DEVICE void take(uint32_t step) {
    for (; message_ < arguments_.messages; message_ += step) {
      const LaneMessage found = lane_message<true>(arguments_, message_);
      const int32_t status = status_of(found);
      report(status, 0);
      if (status != WARPAES_OK) continue;
      begin(found);
      key_.take(message_);
      return;
    }
  }

  WARPAES_HOST_DEVICE void report(int32_t status, uint64_t bytes) const {
    if (arguments_.statuses != nullptr) arguments_.statuses[message_] = status;
    if (arguments_.output_lengths != nullptr) arguments_.output_lengths[message_] = bytes;
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
    // In place, they move by a semiblock: wrapping, up, and so from the last to the first.
    index_ = kInverts ? count_ - 1 : 0;
    WARPAES_KEEP_ROLLED
    for (uint64_t k = 0; k < count_; k++) {
      const uint64_t i = kInverts ? k : count_ - 1 - k;
      store_semiblock(pieces_at() + 8 * i, load_semiblock(from + 8 * i, bytes - 8 * i));
    }
  }

  /// Which semiblock is k-th to be worked on. Unwrapping begins with the last.
  WARPAES_HOST_DEVICE uint64_t in_order(uint64_t k) const { return kInverts ? count_ - 1 - k : k; }

  WARPAES_HOST_DEVICE uint8_t* pieces_at() const { return output_ + (kInverts ? 0 : 8); }

  /// A step of W or of its inverse, section 6.1. A lane without a message goes along.
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

  /// The step's number, big-endian, is added to the check value.
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
      report(right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION, right ? bytes : 0);
    } else {
      report(WARPAES_OK, bytes + 8);
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

  /// Section 6.3, KWP-AD: the constant, and fewer than 8 bytes of padding, all zero. By arithmetic on words:
  /// a branch or an early exit would tell which of them is wrong.
  /// @param bytes of the message with its padding; becomes what it has without
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
  uint64_t count_ = 0, left_ = 0, index_ = 0;  // semiblocks; steps that are left; the longer ones' next
  Semiblock check_{0, 0};
  Semiblock piece_[kKept] = {};
};

namespace kernels::lane {

/// KW and KWP: the arguments say which.
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
