// Batches of independent messages, one in each lane, in the modes whose blocks have to wait for each other:
// encryption in CBC and CFB, OFB, and CMAC. The same kernel also has ECB, CTR and the decryption of CBC and
// CFB.
//
// Threads. A lane walks one message from its first block to its last, and then takes its next message: the
// picture is in lane/frame.hpp.
//
// Keys. One for all messages, or one for each, which the lane expands anew for each block:
// lane/lane_keys.hpp, lane/inverse_lane_key.hpp.
//
// Limits. Shared memory, through which shuffles go as well; docs/benchmarks.md counts the look-ups.
// Timing class: conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "primitives/next_counter.hpp"

namespace warpaes::core {

/// The mode of a LaneWalk (lane/frame.hpp).
/// @tparam Mode as that of kernels::lane::BlockModes below
/// @tparam Key a LaneKeyOf
template <CipherMode Mode, class Key>
class BlockMode {
 public:
  using Arguments = LaneArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = inverts_cipher(Mode), kStores = !makes_tags(Mode), kSteals = false,
                        kRuns = begins_anywhere(Mode);
  using Index = std::conditional_t<kRuns, LaneRun, uint32_t>;

  WARPAES_HOST_DEVICE BlockMode(const Tables& tables, const Arguments& arguments)
      : arguments_(arguments), key_(tables, arguments) {}

  WARPAES_HOST_DEVICE LaneMessage look(Index index) const {
    return lane_message<kStores>(arguments_, message_of(index));
  }

  WARPAES_HOST_DEVICE bool accepts(const LaneMessage& message, Index index) const {
    const int32_t status = status_of(message_of(index), message);
    if (arguments_.statuses != nullptr && is_first(index)) arguments_.statuses[message_of(index)] = status;
    return status == WARPAES_OK && (message.bytes != 0 || !kStores);
  }

  WARPAES_HOST_DEVICE void cut(LaneMessage& message, const LaneRun& run) const {
    cut_to_run<Mode>(message, arguments_, run);
  }

  WARPAES_HOST_DEVICE void begin(const LaneMessage& message, Index index) {
    key_.take(message_of(index));
    chain_ = {0, 0, 0, 0};
    if constexpr (has_iv(Mode)) {
      chain_ = load_bytes(
          is_first(index) || !unchains(Mode) ? arguments_.iv(message_of(index)) : message.input - 16, 16);
    }
    if constexpr (Mode == CipherMode::ctr) chain_ = counter_after(chain_, index.from / 16);
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void crypt(Thread&, Columns (&tile)[kSharers], uint32_t bytes, uint64_t left) {
    const uint32_t last = bytes == left ? (bytes == 0 ? 0 : (bytes - 1) / 16) : kSharers;
    in_turn(tile, [&](uint32_t k, Columns block) {
      if constexpr (makes_tags(Mode)) {
        if (k == last) block = block ^ key_.mask(bytes - 16 * k);
        const Columns next = key_.encrypt(chain_ ^ block);
        if (k <= last) chain_ = next;
        return block;
      } else {
        return crypted(block);
      }
    });
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void end(Thread&, Index index, bool ends) const {
    if constexpr (makes_tags(Mode)) {
      if (ends) store_or_compare(index);
    }
  }

 private:
  WARPAES_HOST_DEVICE int32_t status_of(uint32_t index, const LaneMessage& message) const {
    const uint64_t bytes = message.bytes;
    const bool whole = !arguments_.whole_blocks || (bytes % 16 == 0 && (!makes_tags(Mode) || bytes != 0));
    if (bytes > arguments_.bytes || !whole) return WARPAES_ERROR_LENGTH;
    return pointers_status<kStores>(arguments_, index, message, bytes);
  }

  WARPAES_HOST_DEVICE void store_or_compare(uint32_t index) const {
    uint8_t* const tag = arguments_.tag(index);
    const uint32_t bytes = arguments_.tag_bytes;
    if (arguments_.mode != CipherMode::cmac_check) return store_bytes(tag, chain_, bytes);
    const Columns difference = load_bytes(tag, bytes) ^ keep_bytes(chain_, bytes);
    const bool equal = (difference.a | difference.b | difference.c | difference.d) == 0;
    if (!equal) arguments_.statuses[index] = WARPAES_ERROR_AUTHENTICATION;
  }

  WARPAES_HOST_DEVICE Columns crypted(Columns block) {
    Columns result;
    if constexpr (Mode == CipherMode::ecb_encrypt) {
      result = key_.encrypt(block);
    } else if constexpr (Mode == CipherMode::ecb_decrypt) {
      result = key_.decrypt(block);
    } else if constexpr (Mode == CipherMode::cbc_encrypt) {
      result = chain_ = key_.encrypt(chain_ ^ block);
    } else if constexpr (Mode == CipherMode::cbc_decrypt) {
      result = key_.decrypt(block) ^ chain_;
      chain_ = block;
    } else if constexpr (Mode == CipherMode::cfb_encrypt) {
      result = chain_ = key_.encrypt(chain_) ^ block;
    } else if constexpr (Mode == CipherMode::cfb_decrypt) {
      result = key_.encrypt(chain_) ^ block;
      chain_ = block;
    } else if constexpr (Mode == CipherMode::ofb) {
      chain_ = key_.encrypt(chain_);
      result = chain_ ^ block;
    } else {
      static_assert(Mode == CipherMode::ctr);
      result = key_.encrypt(chain_) ^ block;
      chain_ = next_counter(chain_);
    }
    return result;
  }

  const Arguments& arguments_;
  Key key_;
  Columns chain_{0, 0, 0, 0};
};

namespace kernels::lane {

/// @tparam Mode ECB, CBC or CFB in a direction, OFB, CTR or CMAC. In CMAC the arguments say whether tags are
///         made or checked
template <CipherMode Mode, LaneKeys Keys>
struct BlockModes : ForEveryKeySize {
  static constexpr const char* kName = "lane/block_modes";
  using Arguments = LaneArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    const int own_key = inverts_cipher(Mode) ? on.lane_key_more_threads : on.lane_key_threads;
    return lane_policy(on, Keys, Mode, Keys == LaneKeys::one ? on.lane_threads : own_key);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Key = LaneKeyOf<Keys, inverts_cipher(Mode), kPolicy.tables, Rounds>;
    walk_once<LaneWalk<BlockMode<Mode, Key>, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
