// Batches of independent messages, a lane each: CBC, CFB and OFB encryption, CMAC and CBC-MAC, whose blocks
// wait for each other, and by the same walk ECB, CTR and the decryption of CBC and CFB.
//
// Threads. A lane walks one message from its first block to its last, and then takes its next one; lanes
// of a warp are on different messages. So messages of different lengths cost a lane its own blocks only.
//
// Keys. One for all messages, or one for each, which the lane expands as it goes: lane/lane_keys.hpp,
// lane/inverse_lane_key.hpp.
//
// Memory. Four lanes share their messages' loads and stores: warp/shared_tiles.hpp.
//
// Limits. Shared memory, through which shuffles go too: docs/design/kernels.md has the sum.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/inverse_lane_key.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "kernels/lane/lane_walks.hpp"
#include "kernels/warp/shared_tiles.hpp"
#include "primitives/next_counter.hpp"

namespace warpaes::core {

/// @tparam Mode cmac stands for cbc_mac as well
/// @tparam Key LaneKeyOf
template <CipherMode Mode, class Key, class Thread>
class MessageLane {
 public:
  WARPAES_HOST_DEVICE MessageLane(Thread& thread, const typename Key::Lane& tables,
                                  const LaneArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments), tiles_(thread) {}

  /// @param message,step this lane's first message, and how far the next one is; all lanes of a warp call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    take(message, step);
    while (thread_.any(has_message())) {
      const uint32_t bytes = left_ < kTileBytes ? static_cast<uint32_t>(left_) : kTileBytes;
      Columns tile[kSharers];
      tiles_.load(tile, bytes);
      chain(tile, bytes);
      if constexpr (!makes_tags(Mode)) tiles_.store(tile, bytes);
      advance(bytes, step);
    }
  }

 private:
  WARPAES_HOST_DEVICE bool has_message() const { return message_ < arguments_.messages; }

  WARPAES_HOST_DEVICE void advance(uint32_t bytes, uint32_t step) {
    tiles_.advance();
    if (!has_message()) return;
    left_ -= bytes;
    if (left_ != 0) return;
    if constexpr (makes_tags(Mode)) {
      store_bytes(arguments_.tag(message_), chain_, arguments_.tag_bytes);
    }
    take(message_ + step, step);
  }

  /// The next message that has work, from this one on.
  WARPAES_HOST_DEVICE void take(uint32_t message, uint32_t step) {
    for (left_ = 0; message < arguments_.messages; message += step) {
      const LaneMessage found = lane_message<!makes_tags(Mode)>(arguments_, message);
      input_ = found.input, output_ = found.output, left_ = found.bytes;
      const int32_t status = status_of(message, found);
      if (arguments_.statuses != nullptr) arguments_.statuses[message] = status;
      if (status == WARPAES_OK && (left_ != 0 || makes_tags(Mode))) break;
      left_ = 0;
    }
    message_ = message;
    tiles_.begin(input_, output_);
    if (!has_message()) return;
    key_.take(message);
    chain_ = {0, 0, 0, 0};
    if constexpr (has_iv(Mode)) chain_ = load_bytes(arguments_.iv(message), 16);
  }

  WARPAES_HOST_DEVICE int32_t status_of(uint32_t index, const LaneMessage& message) const {
    const uint64_t bytes = message.bytes;
    const bool whole = !arguments_.whole_blocks || (bytes % 16 == 0 && (!makes_tags(Mode) || bytes != 0));
    if (bytes > arguments_.bytes || !whole) return WARPAES_ERROR_LENGTH;
    return pointers_status<!makes_tags(Mode)>(arguments_, index, message, bytes);
  }

  /// What lies beyond the message's end is worked on as well, for the lanes to stay together, and not used.
  WARPAES_HOST_DEVICE void chain(Columns (&tile)[kSharers], uint32_t bytes) {
    const uint32_t last = bytes == left_ ? (bytes == 0 ? 0 : (bytes - 1) / 16) : kSharers;
    in_turn(tile, [&](uint32_t k, Columns block) {
      if constexpr (makes_tags(Mode)) {
        if (k == last) block = block ^ key_.mask(bytes - 16 * k);
        const Columns next = key_.encrypt(chain_ ^ block);
        if (k <= last) chain_ = next;
        return block;
      } else {
        return crypt(block);
      }
    });
  }

  WARPAES_HOST_DEVICE Columns crypt(Columns block) {
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

  Thread& thread_;
  const LaneArguments& arguments_;
  Key key_;
  uint32_t message_ = 0;
  const uint8_t* input_ = nullptr;  // where the message begins
  uint8_t* output_ = nullptr;
  uint64_t left_ = 0;
  SharedTiles<!makes_tags(Mode), Thread> tiles_;
  Columns chain_{0, 0, 0, 0};
};

/// The kernel's body. Tables are filled from those of the cipher and of its inverse that are given.
template <int Tables, int Rounds, CipherMode Mode, LaneKeys Keys, class Thread>
WARPAES_HOST_DEVICE void message_lanes(Thread& thread, const LaneArguments& arguments, const uint32_t* t0,
                                       const uint32_t* inverse_t0) {
  using Key = LaneKeyOf<Keys, inverts_cipher(Mode), Tables, Rounds>;
  using Lane = typename Key::Lane;
  walk_in_lanes<Lane, inverts_cipher(Mode)>(
      thread, arguments, t0, inverse_t0, [&](const Lane& tables, uint32_t message, uint32_t step) {
        MessageLane<Mode, Key, Thread>(thread, tables, arguments)(message, step);
      });
}

namespace kernels::lane {

/// @tparam Mode ECB, CBC, CFB or OFB in a direction, CTR or CMAC; CBC-MAC is CMAC with masks of zeros
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
    message_lanes<kPolicy.tables, Rounds, Mode, Keys>(thread, arguments, thread.t0(), thread.inverse_t0());
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
