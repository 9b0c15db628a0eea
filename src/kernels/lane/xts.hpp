// Batches of XTS data units, IEEE 1619, a lane each: of different lengths, with a tweak each, under one key
// pair or a pair for each.
//
// A lane encrypts its unit's tweak, walks the unit as lane/block_modes.hpp has it, and doubles the tweak from
// block to block. With ciphertext stealing the last whole block and what follows it are kept in one tile: the
// tile before is a block shorter if it has to be.
//
// Limits. Shared memory, as lane/block_modes.hpp. Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/inverse_lane_key.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "kernels/lane/lane_walks.hpp"
#include "kernels/warp/shared_tiles.hpp"

namespace warpaes::core {

/// @tparam Key LaneKeyOf
/// @tparam CipherTables of the cipher, for tweaks
template <CipherMode Mode, LaneKeys Keys, int Rounds, class Key, int CipherTables, class Thread>
class XtsLane {
 public:
  using Cipher = LanePrivateTables<CipherTables>;

  WARPAES_HOST_DEVICE XtsLane(Thread& thread, const typename Key::Lane& tables, const Cipher& cipher,
                              const LaneArguments& arguments)
      : thread_(thread), cipher_(cipher), arguments_(arguments), key_(tables, arguments), tiles_(thread) {}

  /// @param message,step this lane's first data unit, and how far the next one is; all lanes of a warp call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    bool ready = true;
    for (;;) {
      if (thread_.any(ready)) {
        if (ready) message = take(message, step);
        ready = false;
      }
      if (!thread_.any(left_ != 0)) return;
      const uint32_t bytes = tile_bytes();
      Columns tile[kSharers];
      tiles_.load(tile, bytes);
      crypt(tile, bytes);
      tiles_.store(tile, bytes);
      tiles_.advance();
      if (left_ == 0) continue;
      left_ -= bytes;
      ready = left_ == 0;
      if (bytes != kTileBytes) tiles_.begin(input_end_ - left_, output_end_ - left_);
    }
  }

 private:
  static constexpr bool kDecrypts = Mode == CipherMode::xts_decrypt;
  static constexpr uint32_t kKeyBytes = 4 * (Rounds - 6);

  /// IEEE 1619 section 5.1 and SP 800-38E section 4.
  static constexpr uint64_t kLeast = 16, kMost = uint64_t{16} << 20;

  /// Not more than a tile, and never so much that only a part of a block is left.
  WARPAES_HOST_DEVICE uint32_t tile_bytes() const {
    if (left_ <= kTileBytes) return static_cast<uint32_t>(left_);
    return left_ < kTileBytes + 16 ? kTileBytes - 16 : kTileBytes;
  }

  /// The next data unit that has work, from this one on.
  /// @return the one after it
  WARPAES_HOST_DEVICE uint32_t take(uint32_t message, uint32_t step) {
    LaneMessage found{nullptr, nullptr, 0};
    for (; message < arguments_.messages; message += step) {
      found = lane_message<true>(arguments_, message);
      const int32_t status = status_of(found, message);
      if (arguments_.statuses != nullptr) arguments_.statuses[message] = status;
      if (status == WARPAES_OK && found.bytes != 0) break;
      found.bytes = 0;
    }
    left_ = found.bytes;
    tiles_.begin(found.input, found.output);
    if (left_ == 0) return message;
    input_end_ = found.input + left_;
    output_end_ = found.output + left_;
    tweak_ = encrypted_tweak(load_bytes(arguments_.iv(message), 16), message);
    key_.take(message);
    return message + step;
  }

  WARPAES_HOST_DEVICE int32_t status_of(const LaneMessage& found, uint32_t message) const {
    const uint64_t bytes = found.bytes;
    if (bytes > arguments_.bytes || (bytes != 0 && (bytes < kLeast || bytes > kMost))) {
      return WARPAES_ERROR_LENGTH;
    }
    const int32_t status = pointers_status<true>(arguments_, message, found, bytes);
    if (status != WARPAES_OK) return status;
    return Keys == LaneKeys::each && keys_are_equal(message) ? WARPAES_ERROR_XTS_KEYS : WARPAES_OK;
  }

  WARPAES_HOST_DEVICE bool keys_are_equal(uint32_t message) const {
    const uint8_t* const keys = arguments_.key(message);
    uint32_t different = 0;
    WARPAES_KEEP_ROLLED
    for (uint32_t i = 0; i < kKeyBytes; i++) different |= keys[i] ^ keys[kKeyBytes + i];
    return different == 0;
  }

  WARPAES_HOST_DEVICE Columns encrypted_tweak(Columns number, uint32_t message) const {
    if constexpr (Keys == LaneKeys::one) {
      return cipher_.template encrypt_rolled<Rounds>(number, arguments_.tweak_keys);
    } else {
      OwnLaneKey<CipherTables, Rounds> key(cipher_, arguments_);
      key.take_second(message);
      return key.encrypt(number);
    }
  }

  /// IEEE 1619 sections 5.3.1 and 5.4.1; and 5.3.2 and 5.4.2 for a last block that is not whole, which takes
  /// the rest from what the first of two ciphers makes. Decryption has the two tweaks the other way round.
  WARPAES_HOST_DEVICE void crypt(Columns (&tile)[kSharers], uint32_t bytes) {
    const uint32_t tail = bytes % 16, stolen = tail == 0 ? kSharers : bytes / 16 - 1;
    Columns before{0, 0, 0, 0};
    in_turn(tile, [&](uint32_t k, Columns block) {
      if (k == stolen + 1) block = block ^ before ^ keep_bytes(before, tail);
      const Columns next = tweak_doubled(tweak_);
      const bool ahead = kDecrypts && k == stolen;
      const Columns tweak = ahead ? next : tweak_;
      if constexpr (kDecrypts) {
        before = key_.decrypt(block ^ tweak) ^ tweak;
      } else {
        before = key_.encrypt(block ^ tweak) ^ tweak;
      }
      if (!ahead && 16 * k < bytes) tweak_ = next;
      return before;
    });
    if (!thread_.any(tail != 0)) return;
    WARPAES_UNROLL
    for (uint32_t k = 0; k + 1 < kSharers; k++) {
      if (k != stolen) continue;
      const Columns first = tile[k];
      tile[k] = tile[k + 1];
      tile[k + 1] = first;
    }
  }

  Thread& thread_;
  const Cipher& cipher_;
  const LaneArguments& arguments_;
  Key key_;
  const uint8_t* input_end_ = nullptr;
  uint8_t* output_end_ = nullptr;
  uint64_t left_ = 0;
  SharedTiles<true, Thread> tiles_;
  Columns tweak_{0, 0, 0, 0};
};

/// The kernel's body. Tables are filled from those of the cipher and of its inverse that are given.
template <int Tables, int Rounds, CipherMode Mode, LaneKeys Keys, class Thread>
WARPAES_HOST_DEVICE void xts_lanes(Thread& thread, const LaneArguments& arguments, const uint32_t* t0,
                                   const uint32_t* inverse_t0) {
  constexpr bool kInverts = inverts_cipher(Mode);
  using Key = LaneKeyOf<Keys, kInverts, Tables, Rounds>;
  using Lane = std::conditional_t<kInverts, TablesOfBothWays<Tables>, LanePrivateTables<Tables>>;
  using Walker = XtsLane<Mode, Keys, Rounds, Key, kInverts ? 1 : Tables, Thread>;
  walk_in_lanes<Lane, kInverts>(thread, arguments, t0, inverse_t0,
                                [&](const Lane& tables, uint32_t first, uint32_t step) {
                                  if constexpr (!kInverts) {
                                    Walker(thread, tables, tables, arguments)(first, step);
                                  } else if constexpr (Keys == LaneKeys::one) {
                                    Walker(thread, tables.inverse, tables.cipher, arguments)(first, step);
                                  } else {
                                    Walker(thread, tables, tables.cipher, arguments)(first, step);
                                  }
                                });
}

namespace kernels::lane {

template <warpaes_direction Way, LaneKeys Keys>
struct Xts : ForEveryKeySize {
  static constexpr const char* kName = "lane/xts";
  using Arguments = LaneArguments;

  static constexpr CipherMode kMode =
      Way == WARPAES_DIRECTION_ENCRYPT ? CipherMode::xts_encrypt : CipherMode::xts_decrypt;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    const int own_key =
        Way == WARPAES_DIRECTION_ENCRYPT ? on.lane_key_more_threads : on.lane_key_xts_decrypt_threads;
    return lane_policy(on, Keys, kMode, Keys == LaneKeys::one ? on.lane_threads : own_key);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    xts_lanes<kPolicy.tables, Rounds, kMode, Keys>(thread, arguments, thread.t0(), thread.inverse_t0());
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
