// SIV, RFC 5297, over batches of independent messages: S2V (section 2.4), which is CMAC of all that a message
// has, and CTR that starts at the tag (sections 2.6 and 2.7).
//
// Threads. A lane has some messages, and walks them twice, from first block to last: once for S2V, once for
// CTR; which is first depends on the direction. Encryption could not have one walk, as CTR needs the tag.
// Decryption could, but would save memory traffic only, which look-ups leave to spare: so both have two, of
// one block of the cipher in work at a time, and all lanes of a warp are always at the same.
//
// Keys. One pair for all messages, or one for each, which the lane expands as it goes: lane/lane_keys.hpp.
//
// Memory. Four lanes share their messages' loads and stores: warp/shared_tiles.hpp. In the second walk a lane
// reads what it has itself written in the first. Nonces and additional data are taken lane by lane when a
// message begins: right for headers, slow for long additional data.
//
// Limits. Shared memory: docs/design/messages.md has the sum. Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/ccm_eax.hpp"
#include "kernels/warp/shared_tiles.hpp"

namespace warpaes::core {

struct S2vCtrArguments : MessageBatch {
  /// The two halves of RFC 5297's key; their masks are not used. A key for each message: both name the first
  /// half, behind which the second lies.
  LaneKeyArguments mac, counter;
  Columns subkey, mac_of_zero;  // of one key: SP 800-38B's K1, and CMAC of a block of zeros
  uint32_t nonce_bytes;         // 0: there are none
  uint32_t warps;               // of a block that take messages; the others only help to fill the tables

  WARPAES_HOST_DEVICE bool has_key(uint32_t message) const { return mac.has_key(message); }
};

/// The walk that makes tags, and stores or compares them.
/// @tparam Key SharedLaneKey or OwnLaneKey
template <class Key, LaneKeys Keys, Ciphertext Side, class Thread>
class S2vWalk {
 public:
  WARPAES_HOST_DEVICE S2vWalk(Thread& thread, const typename Key::Lane& tables,
                              const S2vCtrArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments.mac), tiles_(thread) {}

  /// @param message,step this lane's first message, and how far the next one is; all lanes of a warp call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    take(message, step);
    while (thread_.any(has_message())) {
      const uint32_t bytes = left_ < kTileBytes ? static_cast<uint32_t>(left_) : kTileBytes;
      Columns tile[kSharers];
      tiles_.load(tile, bytes);
      hash(tile);
      advance(bytes, step);
    }
  }

 private:
  WARPAES_HOST_DEVICE bool has_message() const { return message_ < arguments_.messages; }

  /// The next message that is accepted, from this one on.
  WARPAES_HOST_DEVICE void take(uint32_t message, uint32_t step) {
    left_ = 0;
    tiles_.begin(nullptr, nullptr);
    message_ =
        take_accepted<Side>(arguments_, message, step, [&](const BatchedMessage& found, uint32_t index) {
          left_ = found.bytes;
          // The tag is of the plaintext.
          tiles_.begin(Side == Ciphertext::output ? found.input : found.output, nullptr);
          key_.take(index);
          begin(found, index);
        });
  }

  /// S2V of all strings but the last: in turns by the same instructions, as there is a lot of them in a
  /// cipher.
  WARPAES_HOST_DEVICE void begin(const BatchedMessage& message, uint32_t index) {
    Columns sum = arguments_.mac_of_zero, subkey = arguments_.subkey;
    const uint32_t turns = arguments_.nonce_bytes == 0 ? 3 : 4;
    WARPAES_KEEP_ROLLED
    for (uint32_t turn = Keys == LaneKeys::one ? 2 : 0; turn < turns; turn++) {
      const uint8_t* string = nullptr;  // turn 0 is the cipher of zeros, turn 1 CMAC of zeros
      uint64_t bytes = 16;
      if (turn == 2) string = message.aad, bytes = message.aad_bytes;
      if (turn == 3) {
        string = arguments_.nonce(index);
        bytes = arguments_.nonce_bytes;
      }
      const Columns result = chained(string, bytes, turn == 0 ? Columns{0, 0, 0, 0} : subkey);
      if (turn == 0) subkey = doubled(result);
      if (turn == 1) sum = result;
      if (turn >= 2) sum = doubled(sum) ^ result;
    }
    set_ends(sum, subkey, message.bytes);
    chain_ = {0, 0, 0, 0};
  }

  /// SP 800-38B section 6.2. @param string null: a block of zeros
  WARPAES_HOST_DEVICE Columns chained(const uint8_t* string, uint64_t bytes, Columns subkey) {
    const uint64_t blocks = bytes == 0 ? 1 : (bytes + 15) / 16;
    Columns link{0, 0, 0, 0};
    WARPAES_KEEP_ROLLED
    for (uint64_t i = 0; i < blocks; i++) {
      if (string != nullptr && bytes != 0) link = link ^ load_block(string, bytes, static_cast<int64_t>(i));
      if (i + 1 == blocks) {
        const uint32_t last = static_cast<uint32_t>(bytes - 16 * i);
        link = link ^ padded(last == 16 ? subkey : doubled(subkey), last);
      }
      key_.keep_rolled();
      link = key_.encrypt(link);
    }
    return link;
  }

  /// What the message's last two blocks are masked with: S2V's end, and CMAC's. Of 16 bytes or more, the sum
  /// is XORed to the last 16 ("xorend"), which may lie in two blocks; less is padded, and XORed to its
  /// double.
  WARPAES_HOST_DEVICE void set_ends(Columns sum, Columns subkey, uint64_t bytes) {
    const uint32_t last = bytes == 0 ? 0 : static_cast<uint32_t>((bytes - 1) % 16) + 1;
    before_last_ = {0, 0, 0, 0};
    if (bytes < 16) {
      last_ = padded(doubled(sum), last) ^ subkey;
      return;
    }
    last_ = moved_down(sum, 16 - last) ^ padded(last == 16 ? subkey : doubled(subkey), last);
    before_last_ = moved_up(sum, last);
  }

  /// What lies beyond the message's end is worked on as well, for the lanes to stay together, and not used.
  WARPAES_HOST_DEVICE void hash(Columns (&tile)[kSharers]) {
    // Of this tile's blocks or the next tile's: the message's last. An empty message has one too.
    const uint32_t far = 2 * kSharers;
    const uint32_t last = left_ == 0 ? 0 : left_ > 16 * far ? far : static_cast<uint32_t>((left_ - 1) / 16);
    in_turn(tile, [&](uint32_t k, Columns block) {
      if (k == last) block = block ^ last_;
      if (k + 1 == last) block = block ^ before_last_;
      key_.keep_rolled();
      const Columns next = key_.encrypt(chain_ ^ block);
      if (k <= last) chain_ = next;
      return block;
    });
  }

  WARPAES_HOST_DEVICE void advance(uint32_t bytes, uint32_t step) {
    tiles_.advance();
    left_ -= bytes;
    const bool ends = has_message() && left_ == 0;
    bool failed = false;
    if (ends) failed = finish_message<Side>(arguments_, message_, chain_, WARPAES_OK) != WARPAES_OK;
    if constexpr (Side == Ciphertext::input) {
      wipe_failed(thread_, arguments_, message_, failed);
    }
    if (ends) take(message_ + step, step);
  }

  Thread& thread_;
  const S2vCtrArguments& arguments_;
  Key key_;
  SharedTiles<false, Thread> tiles_;
  uint32_t message_ = 0;
  uint64_t left_ = 0;
  Columns chain_{0, 0, 0, 0}, before_last_{0, 0, 0, 0}, last_{0, 0, 0, 0};
};

/// The walk that encrypts or decrypts. Messages that the other one refuses are left alone.
template <class Key, class Thread>
class CounterWalk {
 public:
  WARPAES_HOST_DEVICE CounterWalk(Thread& thread, const typename Key::Lane& tables,
                                  const S2vCtrArguments& arguments)
      : thread_(thread), arguments_(arguments), key_(tables, arguments.counter), tiles_(thread) {}

  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    take(message, step);
    while (thread_.any(message_ < arguments_.messages)) {
      const uint32_t bytes = left_ < kTileBytes ? static_cast<uint32_t>(left_) : kTileBytes;
      Columns tile[kSharers];
      tiles_.load(tile, bytes);
      in_turn(tile, [&](uint32_t, Columns block) {
        key_.keep_rolled();
        const Columns stream = key_.encrypt(counter_);
        counter_ = next_counter(counter_);
        return block ^ stream;
      });
      tiles_.store(tile, bytes);
      tiles_.advance();
      left_ -= bytes;
      if (message_ < arguments_.messages && left_ == 0) take(message_ + step, step);
    }
  }

 private:
  WARPAES_HOST_DEVICE void take(uint32_t message, uint32_t step) {
    left_ = 0;
    for (; message < arguments_.messages; message += step) {
      const BatchedMessage found(arguments_, message);
      if (found.refused != WARPAES_OK || found.bytes == 0) continue;
      left_ = found.bytes;
      tiles_.begin(found.input, found.output);
      key_.take_second(message);
      // Section 2.5: bits 31 and 63 of the tag are cleared, so that counting carries no further.
      counter_ = load_bytes(arguments_.tag(message), 16);
      counter_.c &= ~0x80u;
      counter_.d &= ~0x80u;
      break;
    }
    if (message >= arguments_.messages) tiles_.begin(nullptr, nullptr);
    message_ = message;
  }

  Thread& thread_;
  const S2vCtrArguments& arguments_;
  Key key_;
  SharedTiles<true, Thread> tiles_;
  uint32_t message_ = 0;
  uint64_t left_ = 0;
  Columns counter_{0, 0, 0, 0};
};

/// The kernel's body.
template <int Tables, int Rounds, LaneKeys Keys, Ciphertext Side, class Thread>
WARPAES_HOST_DEVICE void s2v_ctr(Thread& thread, const S2vCtrArguments& arguments, const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  using Key = LaneKey<Keys, Tables, Rounds>;
  walk_in_lanes<Lane, false>(
      thread, arguments, t0, nullptr, [&](const Lane& tables, uint32_t first, uint32_t step) {
        const auto count = [&] { CounterWalk<Key, Thread>(thread, tables, arguments)(first, step); };
        if constexpr (Side == Ciphertext::input) {
          count();
          thread.sync_warp();
        }
        S2vWalk<Key, Keys, Side, Thread>(thread, tables, arguments)(first, step);
        if constexpr (Side == Ciphertext::output) count();
      });
}

namespace kernels::lane {

template <warpaes_direction Way, LaneKeys Keys>
struct Siv : ForEveryKeySize {
  static constexpr const char* kName = "lane/siv";
  using Arguments = S2vCtrArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, Keys == LaneKeys::one ? on.lane_threads : on.lane_key_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    s2v_ctr<kPolicy.tables, Rounds, Keys, ciphertext_of(Way)>(thread, arguments, thread.t0());
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
