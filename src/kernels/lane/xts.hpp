// Batches of XTS data units (IEEE 1619), one in each lane. They may differ in length and have a tweak each,
// under one pair of keys or a pair for each.
//
// A lane encrypts its unit's tweak, walks the unit (lane/frame.hpp has the picture), and doubles the tweak
// from block to block. With ciphertext stealing, the last whole block and the part of a block behind it are
// in one tile:
//
//     unit of 9 blocks and 5 bytes    | 0 1 2 3 | 4 5 6 7 | 8, 5 bytes |
//     unit of 8 blocks and 5 bytes    | 0 1 2 3 | 4 5 6   | 7, 5 bytes |    the tile before is shorter
//
// A lane that walks a run from the middle of a unit steps from the unit's tweak to the run's by powers of x.
//
// Limits. Shared memory, as in lane/block_modes.hpp. Timing class: conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "primitives/xts_tweak.hpp"

namespace warpaes::core {

/// The mode of a LaneWalk (lane/frame.hpp).
template <CipherMode Mode, LaneKeys Keys, int TableCount, int Rounds>
class XtsUnit {
 public:
  using Arguments = LaneArguments;
  static constexpr bool kInverts = inverts_cipher(Mode), kStores = true, kSteals = true, kRuns = true;
  /// Decryption takes tables of the inverse cipher for the data, and one table of the cipher for the tweaks.
  using Tables = std::conditional_t<kInverts, TablesOfBothWays<TableCount>, LanePrivateTables<TableCount>>;

  WARPAES_HOST_DEVICE XtsUnit(const Tables& tables, const Arguments& arguments)
      : arguments_(arguments), cipher_(cipher_of(tables)), key_(key_tables_of(tables), arguments) {}

  WARPAES_HOST_DEVICE LaneMessage look(const LaneRun& run) const {
    return lane_message<true>(arguments_, run.message);
  }

  WARPAES_HOST_DEVICE bool accepts(const LaneMessage& message, const LaneRun& run) const {
    const int32_t status = status_of(message, run.message);
    if (arguments_.statuses != nullptr && is_first(run)) arguments_.statuses[run.message] = status;
    return status == WARPAES_OK && message.bytes != 0;
  }

  WARPAES_HOST_DEVICE void cut(LaneMessage& message, const LaneRun& run) const {
    cut_to_run<Mode>(message, arguments_, run);
  }

  WARPAES_HOST_DEVICE void begin(const LaneMessage&, const LaneRun& run) {
    tweak_ = encrypted_tweak(load_bytes(arguments_.iv(run.message), 16), run.message);
    if (!is_first(run)) tweak_ = tweak_after(tweak_, static_cast<uint32_t>(run.from / 16));
    key_.take(run.message);
  }

  /// IEEE 1619 sections 5.3.1 and 5.4.1 for whole blocks, and 5.3.2 and 5.4.2 for a last block that is not
  /// whole: it is filled up from what the first of two ciphers makes. Decryption uses the two tweaks in
  /// reverse order.
  template <class Thread>
  WARPAES_HOST_DEVICE void crypt(Thread& thread, Columns (&tile)[kSharers], uint32_t bytes, uint64_t) {
    const uint32_t tail = bytes % 16, stolen = tail == 0 ? kSharers : bytes / 16 - 1;
    Columns before{0, 0, 0, 0};
    in_turn(tile, [&](uint32_t k, Columns block) {
      if (k == stolen + 1) block = block ^ before ^ keep_bytes(before, tail);
      const Columns next = tweak_doubled(tweak_);
      const bool ahead = kInverts && k == stolen;
      const Columns tweak = ahead ? next : tweak_;
      if constexpr (kInverts) {
        before = key_.decrypt(block ^ tweak) ^ tweak;
      } else {
        before = key_.encrypt(block ^ tweak) ^ tweak;
      }
      if (!ahead && 16 * k < bytes) tweak_ = next;
      return before;
    });
    if (!thread.any(tail != 0)) return;
    WARPAES_UNROLL
    for (uint32_t k = 0; k + 1 < kSharers; k++) {
      if (k != stolen) continue;
      const Columns first = tile[k];
      tile[k] = tile[k + 1];
      tile[k + 1] = first;
    }
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void end(Thread&, const LaneRun&, bool) const {}

 private:
  using Key = LaneKeyOf<Keys, kInverts, TableCount, Rounds>;
  using Cipher = LanePrivateTables<kInverts ? 1 : TableCount>;
  static constexpr uint32_t kKeyBytes = 4 * (Rounds - 6);

  /// The shortest and the longest data unit, in bytes: IEEE 1619 section 5.1 and SP 800-38E section 4.
  static constexpr uint64_t kLeast = 16, kMost = uint64_t{16} << 20;

  /// The tweak of the block that is `blocks` further on; section 5.2.
  WARPAES_HOST_DEVICE static Columns tweak_after(Columns tweak, uint32_t blocks) {
    const XtsTweak result = xts_after({{tweak.a, tweak.b, tweak.c, tweak.d}}, blocks);
    return {result.word[0], result.word[1], result.word[2], result.word[3]};
  }

  // The tables belong to the thread block, and outlive what refers to them.
  // NOLINTBEGIN(bugprone-return-const-ref-from-parameter)
  WARPAES_HOST_DEVICE static const Cipher& cipher_of(const Tables& tables) {
    if constexpr (kInverts) {
      return tables.cipher;
    } else {
      return tables;
    }
  }
  WARPAES_HOST_DEVICE static const typename Key::Lane& key_tables_of(const Tables& tables) {
    if constexpr (kInverts && Keys == LaneKeys::one) {
      return tables.inverse;
    } else {
      return tables;
    }
  }
  // NOLINTEND(bugprone-return-const-ref-from-parameter)

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
      LaneKey<Keys, kInverts ? 1 : TableCount, Rounds> key(cipher_, arguments_);
      key.take_second(message);
      return key.encrypt(number);
    }
  }

  const Arguments& arguments_;
  const Cipher& cipher_;
  Key key_;
  Columns tweak_{0, 0, 0, 0};
};

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
    walk_once<LaneWalk<XtsUnit<kMode, Keys, kPolicy.tables, Rounds>, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
