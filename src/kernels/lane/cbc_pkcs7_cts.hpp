// Batches of ECB and CBC with PKCS#7 padding (RFC 5652 section 6.3), and of CBC with ciphertext stealing
// (CS1, CS2 and CS3 of the addendum to SP 800-38A), with a message in each lane. One kernel encrypts and one
// decrypts.
//
// A lane walks its message as in lane/block_modes.hpp; what is special happens in the message's last tile.
// With ciphertext stealing this tile has to hold the last two blocks, so the tile before it is a block
// shorter where necessary. ECB is done as CBC whose chaining value stays zero.
//
// Padding is examined without a branch or an address that depends on it. A message whose padding is wrong,
// which its status tells anyway, is walked once more to store zeros, by the same lanes at the same addresses,
// so that no store can overtake another.
//
// Limits. Shared memory, as in lane/block_modes.hpp. Timing class: conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"

namespace warpaes::core {

/// What the last block of a padded message turned out to be.
struct PaddedBlock {
  uint32_t right;  // is the padding right? 1 or 0
  uint32_t bytes;  // of the message in this block; 0 if the padding is wrong
};

/// Sets the bytes that are padding to zero, and the whole block if its padding is wrong. It is done by
/// arithmetic alone, so that no branch and no address tells anything of the padding; modes/cbc.cpp does the
/// same byte by byte.
WARPAES_HOST_DEVICE PaddedBlock remove_padding(Columns& block) {
  const auto less = [](uint32_t a, uint32_t b) { return (a - b) >> 31; };  // both under 2^31
  const uint32_t padding = block.d >> 24, all = padding * 0x01010101u;
  const auto in_padding = [&](uint32_t column) {
    uint32_t mask = 0;
    WARPAES_UNROLL
    for (uint32_t i = 0; i < 4; i++) mask |= (0 - less(15 - 4 * column - i, padding)) & 0xffu << (8 * i);
    return mask;
  };
  const Columns mask{in_padding(0), in_padding(1), in_padding(2), in_padding(3)};
  const uint32_t different = ((block.a ^ all) & mask.a) | ((block.b ^ all) & mask.b) |
                             ((block.c ^ all) & mask.c) | ((block.d ^ all) & mask.d);
  const uint32_t wrong = less(padding, 1) | less(16, padding) | (different | (0 - different)) >> 31;
  const uint32_t kept = wrong - 1;
  block = {block.a & ~mask.a & kept, block.b & ~mask.b & kept, block.c & ~mask.c & kept,
           block.d & ~mask.d & kept};
  return {1 - wrong, (16 - padding) & kept};
}

/// @tparam Mode cbc_pkcs7_encrypt or cbc_pkcs7_decrypt for all modes of this file; the arguments say which is
///        meant
/// @tparam Key a LaneKeyOf
template <CipherMode Mode, class Key, class Thread>
class PaddingStealingWalk {
 public:
  using Arguments = LaneArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = inverts_cipher(Mode);

  WARPAES_HOST_DEVICE PaddingStealingWalk(Thread& thread, const Tables& tables,
                                          const LaneArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments), tiles_(thread) {}

  /// @param message,step this lane's first message, and the distance to its next ones; all lanes of a warp
  ///        call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    message_ = message;
    take(step);
    while (thread_.any(left_ != 0)) {
      const Tile now(*this);
      Columns tile[kSharers];
      tiles_.load(tile, now.bytes - now.padding);
      if (kInverts && thread_.any(now.is_last)) before_last(tile, now);
      crypt(tile, now);
      bool again = false;
      if (thread_.any(now.is_last || wipes_)) again = after_last(tile, now);
      tiles_.store(tile, now.bytes);
      tiles_.advance();
      if (left_ == 0) continue;
      left_ -= now.bytes;
      if (now.bytes != kTileBytes || now.is_last) go_on(again, step);
    }
  }

 private:
  static constexpr uint32_t kNone = kSharers;

  WARPAES_HOST_DEVICE bool steals_here() const { return steals(arguments_.mode); }

  /// What this lane does in its next step.
  struct Tile {
    // How much the tile writes: never so much that one block or less is left of a message with ciphertext
    // stealing.
    uint32_t bytes;
    bool is_last;      // does the message end in this tile?
    uint32_t padding;  // 1 to 16 bytes of padding that encryption adds here; or 0
    uint32_t stolen;   // the block before the last one of a message with ciphertext stealing; or kNone
    uint32_t cut;      // how many bytes the message's last block has

    WARPAES_HOST_DEVICE explicit Tile(const PaddingStealingWalk& lane) {
      const uint64_t left = lane.left_;
      bytes = left <= kTileBytes        ? static_cast<uint32_t>(left)
              : left <= kTileBytes + 16 ? kTileBytes - 16
                                        : kTileBytes;
      is_last = left != 0 && bytes == left;
      padding = !kInverts && is_last ? lane.padding_ : 0;
      cut = (bytes - 1) % 16 + 1;
      stolen = is_last && bytes > 16 && lane.steals_here() ? (bytes - cut) / 16 - 1 : kNone;
    }
  };

  /// Takes this lane's next message that is not refused, beginning with the present one.
  WARPAES_HOST_DEVICE void take(uint32_t step) {
    wipes_ = false;
    left_ = 0;
    for (; message_ < arguments_.messages; message_ += step) {
      const LaneMessage found = lane_message<true>(arguments_, message_);
      const uint64_t written = written_bytes(found.bytes);
      const int32_t status = status_of(found, written);
      arguments_.report(message_, status, status == WARPAES_OK ? written : 0);
      if (status != WARPAES_OK) continue;
      left_ = written;
      padding_ = static_cast<uint32_t>(written - found.bytes);
      tiles_.begin(found.input, found.output);
      key_.take(message_);
      chain_ = {0, 0, 0, 0};
      if (!pads_in_ecb(arguments_.mode)) {
        chain_ = load_bytes(arguments_.iv(message_), 16);
      }
      return;
    }
    tiles_.begin(nullptr, nullptr);
  }

  WARPAES_HOST_DEVICE uint64_t written_bytes(uint64_t bytes) const {
    return kInverts || steals_here() ? bytes : bytes / 16 * 16 + 16;
  }

  WARPAES_HOST_DEVICE int32_t status_of(const LaneMessage& found, uint64_t written) const {
    const uint64_t bytes = found.bytes;
    const bool unpads = kInverts && !steals_here();
    const bool too_short = bytes < 16 && (unpads || steals_here());
    if (bytes > arguments_.bytes || too_short || (unpads && bytes % 16 != 0)) return WARPAES_ERROR_LENGTH;
    if (found.output == nullptr) return WARPAES_ERROR_NULL_POINTER;
    return pointers_status<true>(arguments_, message_, found, written);
  }

  /// Goes on with another message, or at another place of this one.
  /// @param again from the message's beginning, to wipe it
  WARPAES_HOST_DEVICE void go_on(bool again, uint32_t step) {
    if (left_ == 0 && !again) {
      message_ += step;
      return take(step);
    }
    const LaneMessage found = lane_message<true>(arguments_, message_);
    wipes_ |= again;
    if (again) left_ = found.bytes;
    const uint64_t done = written_bytes(found.bytes) - left_;
    tiles_.begin(found.input + done, found.output + done);
  }

  /// Calls work(first, second) with the last two blocks of a message with ciphertext stealing.
  template <class Work>
  WARPAES_HOST_DEVICE static void with_last_two(Columns (&tile)[kSharers], const Tile& now,
                                                const Work& work) {
    WARPAES_UNROLL
    for (uint32_t k = 0; k + 1 < kSharers; k++) {
      if (k == now.stolen) work(tile[k], tile[k + 1]);
    }
  }

  /// Does the shortened block stand behind the last one? Addendum to SP 800-38A, sections 3.1 to 3.3.
  WARPAES_HOST_DEVICE bool is_swapped(const Tile& now) const {
    const CipherMode mode = arguments_.mode;
    const bool cs3 = mode == CipherMode::cbc_cs3_encrypt || mode == CipherMode::cbc_cs3_decrypt;
    const bool cs2 = mode == CipherMode::cbc_cs2_encrypt || mode == CipherMode::cbc_cs2_decrypt;
    return cs3 || (cs2 && now.cut != 16);
  }

  WARPAES_HOST_DEVICE static void swap(Columns& first, Columns& second) {
    const Columns kept = first;
    first = second;
    second = kept;
  }

  /// Decryption needs the last block before the shortened one, in whichever order they stand in the message.
  WARPAES_HOST_DEVICE void before_last(Columns (&tile)[kSharers], const Tile& now) const {
    if (is_swapped(now)) return;
    with_last_two(tile, now, [&now](Columns& first, Columns& second) {
      const Columns last = moved_down(first, now.cut) ^ moved_up(second, 16 - now.cut);
      second = keep_bytes(first, now.cut);
      first = last;
    });
  }

  /// The padding of a block that is not full, at its place in the block.
  WARPAES_HOST_DEVICE static Columns padding_of(const Tile& now) {
    const uint32_t value = now.padding * 0x01010101u;
    return drop_bytes({value, value, value, value}, (now.bytes - now.padding) % 16);
  }

  /// Bytes behind the message's end are worked on as well, so that the lanes stay together; their results are
  /// not used.
  WARPAES_HOST_DEVICE void crypt(Columns (&tile)[kSharers], const Tile& now) {
    const uint32_t before_stolen = now.stolen == kNone ? now.bytes : 16 * now.stolen;
    const uint32_t chained = pads_in_ecb(arguments_.mode) ? 0 : kInverts ? before_stolen : now.bytes;
    const uint32_t padded = now.padding == 0 ? kNone : (now.bytes - now.padding) / 16;
    in_turn(tile, [&](uint32_t k, Columns block) {
      if constexpr (kInverts) {
        if (k == now.stolen + 1) {
          // The decryption of the last block holds what was cut off from this block, and before that the
          // message's last bytes.
          const Columns held = tile[kSharers - 2] ^ chain_;
          block = block ^ drop_bytes(held, now.cut);
          tile[kSharers - 2] = held ^ block;
        }
        const Columns text = key_.decrypt(block) ^ chain_;
        if (16 * k < chained) chain_ = block;
        return text;
      } else {
        if (k == padded) block = block ^ padding_of(now);
        const Columns text = key_.encrypt(block ^ chain_);
        if (16 * k < chained) chain_ = text;
        return text;
      }
    });
  }

  /// @return must the message be wiped?
  WARPAES_HOST_DEVICE bool after_last(Columns (&tile)[kSharers], const Tile& now) const {
    if constexpr (!kInverts) {
      const bool swapped = is_swapped(now);
      with_last_two(tile, now, [&](Columns& first, Columns& second) {
        if (swapped) return swap(first, second);
        first = keep_bytes(first, now.cut) ^ moved_up(second, now.cut);
        second = moved_down(second, 16 - now.cut);
      });
      return false;
    } else {
      if (!steals_here()) return unpad(tile, now);
      with_last_two(tile, now, swap);
      return false;
    }
  }

  WARPAES_HOST_DEVICE bool unpad(Columns (&tile)[kSharers], const Tile& now) const {
    const uint32_t last = now.is_last ? now.bytes / 16 - 1 : kNone, kept = wipes_ ? 0 : ~0u;
    PaddedBlock found{1, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kSharers; k++) {
      if (k == last) found = remove_padding(tile[k]);
      tile[k] = {tile[k].a & kept, tile[k].b & kept, tile[k].c & kept, tile[k].d & kept};
    }
    if (!now.is_last || wipes_) return false;
    const bool right = found.right == 1;
    const uint64_t bytes = lane_message<true>(arguments_, message_).bytes;
    arguments_.report(message_, right ? WARPAES_OK : WARPAES_ERROR_PADDING,
                      right ? bytes - 16 + found.bytes : 0);
    return !right;
  }

  Thread& thread_;
  const LaneArguments& arguments_;
  Key key_;
  uint32_t message_ = 0;
  uint64_t left_ = 0;  // bytes of output that are still to come
  uint32_t padding_ = 0;
  bool wipes_ = false;  // is the message being walked once more, to wipe it?
  SharedTiles<true, Thread> tiles_;
  Columns chain_{0, 0, 0, 0};
};

namespace kernels::lane {

/// The kernel of ECB and CBC with PKCS#7 padding, and of CBC with ciphertext stealing; the arguments say
/// which mode it is.
template <warpaes_direction Way, LaneKeys Keys>
struct CbcPkcs7Cts : ForEveryKeySize {
  static constexpr const char* kName = "lane/cbc_pkcs7_cts";
  using Arguments = LaneArguments;

  static constexpr CipherMode kMode =
      Way == WARPAES_DIRECTION_ENCRYPT ? CipherMode::cbc_pkcs7_encrypt : CipherMode::cbc_pkcs7_decrypt;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return lane_policy(on, Keys, kMode,
                       Keys == LaneKeys::one ? on.lane_padding_threads : on.lane_key_more_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Key = LaneKeyOf<Keys, inverts_cipher(kMode), kPolicy.tables, Rounds>;
    walk_once<PaddingStealingWalk<kMode, Key, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
