// SIV (RFC 5297) for batches of independent messages: S2V (section 2.4), which is made of CMACs of all parts
// of a message, and CTR whose counter begins at the tag (sections 2.6 and 2.7).
//
// Threads. A lane walks each of its messages twice from the first block to the last, once for S2V and once
// for CTR; the direction decides which comes first. Encryption cannot do with one walk, as CTR needs the tag.
// Decryption could, but that would only save memory traffic, of which look-ups leave plenty. So both
// directions have two walks, with one block of the cipher in work at a time, and all lanes of a warp are
// always in the same walk.
//
// Keys. One pair for all messages, or one for each, which the lane expands anew for each block:
// lane/lane_keys.hpp.
//
// Memory. In the second walk a lane reads what it has itself written in the first. Each lane by itself reads
// nonces and additional data when a message begins. That suits headers, and is slow for long additional data.
//
// Limits. Shared memory: docs/benchmarks.md counts the look-ups. Timing class: conflict-free.
#pragma once

#include "kernels/lane/accepted_messages.hpp"
#include "kernels/lane/frame.hpp"
#include "primitives/next_counter.hpp"

namespace warpaes::core {

struct SivString {
  const uint8_t* data;
  uint64_t bytes;
};

/// The associated strings of messages: string s of message m is entry m * count + s.
struct SivStrings {
  const uint8_t* first;
  uint64_t bytes, stride;    // of each entry, unless the arrays say otherwise; `bytes` is the most
  const uint8_t* const* at;  // where entries are; or null
  const uint64_t* lengths;   // of entries; or null
  uint32_t count;

  WARPAES_HOST_DEVICE SivString of(uint32_t message, uint32_t string) const {
    const uint64_t entry = static_cast<uint64_t>(message) * count + string;
    return {at != nullptr      ? at[entry]
            : first == nullptr ? nullptr
                               : first + entry * stride,
            lengths != nullptr ? lengths[entry] : bytes};
  }

  /// Checks what the host could not check, because the arrays are in device memory.
  /// @param output,tag of the message @param written how many bytes of the tag the kernel writes
  /// @return WARPAES_OK, LENGTH, NULL_POINTER or OVERLAP
  WARPAES_HOST_DEVICE int32_t status_of(uint32_t message, const uint8_t* output, uint64_t output_bytes,
                                        const uint8_t* tag, uint32_t written) const {
    if (at == nullptr && lengths == nullptr) return WARPAES_OK;
    int32_t status = WARPAES_OK;
    WARPAES_KEEP_ROLLED
    for (uint32_t s = 0; s < count; s++) {
      const SivString string = of(message, s);
      if (string.bytes > bytes) return WARPAES_ERROR_LENGTH;
      if (string.bytes != 0 && string.data == nullptr) {
        status = WARPAES_ERROR_NULL_POINTER;
      } else if (share_bytes(output, output_bytes, string.data, string.bytes) ||
                 share_bytes(tag, written, string.data, string.bytes)) {
        status = first_told(status, WARPAES_ERROR_OVERLAP);
      }
    }
    return status;
  }
};

/// Messages whose additional data is in `strings`, and not in the members of the batch.
struct SivArguments : MessageBatch {
  /// The two halves of the key (RFC 5297 section 2.2); their masks are not used. With a key for each message
  /// both name its first half, and the second half lies behind that.
  LaneKeyArguments mac, counter;
  Columns subkey, mac_of_zero;  // with one key: K1 of SP 800-38B, and CMAC of a block of zeros
  SivStrings strings;
  uint32_t warps;  // how many warps of a thread block take messages; the others only help to fill the tables

  WARPAES_HOST_DEVICE bool has_key(uint32_t message) const { return mac.has_key(message); }

  WARPAES_HOST_DEVICE BatchedMessage message(uint32_t index) const {
    BatchedMessage found(static_cast<const MessageBatch&>(*this), index);
    found.refused = first_told(found.refused, strings.status_of(index, found.output, found.bytes, tag(index),
                                                                writes_tags ? tag_bytes : 0));
    if (found.refused == WARPAES_OK && !has_key(index)) found.refused = WARPAES_ERROR_NULL_POINTER;
    return found;
  }
};

/// The mode of a LaneWalk that makes tags, and stores or compares them.
/// @tparam Key a LaneKey
template <class Key, LaneKeys Keys, Ciphertext Side>
class LaneS2v {
 public:
  using Arguments = SivArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = false, kStores = false, kSteals = false, kRuns = false;

  WARPAES_HOST_DEVICE LaneS2v(const Tables& tables, const Arguments& arguments)
      : arguments_(arguments), key_(tables, arguments.mac) {}

  /// The message's plaintext, which is what the tag is made of, whichever side it is on.
  WARPAES_HOST_DEVICE BatchedMessage look(uint32_t index) const {
    BatchedMessage message = arguments_.message(index);
    if (Side == Ciphertext::input) message.input = message.output;
    return message;
  }

  WARPAES_HOST_DEVICE bool accepts(const BatchedMessage& message, uint32_t index) const {
    return accepts_or_reports<Side>(arguments_, message, index);
  }

  /// S2V of all strings but the last. This is a loop of turns, so that the code of the cipher, which is long,
  /// is there only once.
  WARPAES_HOST_DEVICE void begin(const BatchedMessage& message, uint32_t index) {
    key_.take(index);
    Columns sum = arguments_.mac_of_zero, subkey = arguments_.subkey;
    const uint32_t nonce = 2 + arguments_.strings.count,
                   turns = arguments_.nonce_bytes == 0 ? nonce : nonce + 1;
    WARPAES_KEEP_ROLLED
    for (uint32_t turn = Keys == LaneKeys::one ? 2 : 0; turn < turns; turn++) {
      SivString string{nullptr, 16};  // turn 0 is the cipher of a block of zeros, turn 1 its CMAC
      if (turn >= 2 && turn < nonce) string = arguments_.strings.of(index, turn - 2);
      if (turn == nonce) string = {arguments_.nonce(index), arguments_.nonce_bytes};
      const Columns result = chained(string.data, string.bytes, turn == 0 ? Columns{0, 0, 0, 0} : subkey);
      if (turn == 0) subkey = doubled(result);
      if (turn == 1) sum = result;
      if (turn >= 2) sum = doubled(sum) ^ result;
    }
    set_ends(sum, subkey, message.bytes);
    chain_ = {0, 0, 0, 0};
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void crypt(Thread&, Columns (&tile)[kSharers], uint32_t, uint64_t left) {
    // Which of the blocks of this tile or the next one is the message's last. An empty message has one as
    // well.
    const uint32_t far = 2 * kSharers;
    const uint32_t last = left == 0 ? 0 : left > 16 * far ? far : static_cast<uint32_t>((left - 1) / 16);
    in_turn(tile, [&](uint32_t k, Columns block) {
      if (k == last) block = block ^ last_;
      if (k + 1 == last) block = block ^ before_last_;
      key_.keep_rolled();
      const Columns next = key_.encrypt(chain_ ^ block);
      if (k <= last) chain_ = next;
      return block;
    });
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void end(Thread& thread, uint32_t index, bool ends) const {
    finish_or_wipe<Side>(thread, arguments_, index, ends, chain_);
  }

 private:
  /// CMAC, SP 800-38B section 6.2. @param string if it is null, a block of zeros
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

  /// Sets what the message's last two blocks are masked with, by the end of S2V and by CMAC. Of a message of
  /// 16 bytes or more the last 16 bytes, which may lie in two blocks, are XORed with the sum ("xorend"). A
  /// shorter message is padded and XORed with the doubled sum.
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

  const Arguments& arguments_;
  Key key_;
  Columns chain_{0, 0, 0, 0}, before_last_{0, 0, 0, 0}, last_{0, 0, 0, 0};
};

/// The mode of a LaneWalk that encrypts or decrypts. Messages that the walk for S2V refuses are left alone.
template <class Key>
class SivCtr {
 public:
  using Arguments = SivArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = false, kStores = true, kSteals = false, kRuns = false;

  WARPAES_HOST_DEVICE SivCtr(const Tables& tables, const Arguments& arguments)
      : arguments_(arguments), key_(tables, arguments.counter) {}

  WARPAES_HOST_DEVICE BatchedMessage look(uint32_t index) const { return arguments_.message(index); }

  WARPAES_HOST_DEVICE bool accepts(const BatchedMessage& message, uint32_t) const {
    return message.refused == WARPAES_OK && message.bytes != 0;
  }

  /// RFC 5297 section 2.5: bits 31 and 63 of the tag are cleared, so that no carry goes further when the
  /// counter counts.
  WARPAES_HOST_DEVICE void begin(const BatchedMessage&, uint32_t index) {
    key_.take_second(index);
    counter_ = load_bytes(arguments_.tag(index), 16);
    counter_.c &= ~0x80u;
    counter_.d &= ~0x80u;
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void crypt(Thread&, Columns (&tile)[kSharers], uint32_t, uint64_t) {
    in_turn(tile, [&](uint32_t, Columns block) {
      key_.keep_rolled();
      const Columns stream = key_.encrypt(counter_);
      counter_ = next_counter(counter_);
      return block ^ stream;
    });
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void end(Thread&, uint32_t, bool) const {}

 private:
  const Arguments& arguments_;
  Key key_;
  Columns counter_{0, 0, 0, 0};
};

namespace kernels::lane {

template <warpaes_direction Way, LaneKeys Keys>
struct Siv : ForEveryKeySize {
  static constexpr const char* kName = "lane/siv";
  using Arguments = SivArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, Keys == LaneKeys::one ? on.lane_threads : on.lane_key_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Key = LaneKey<Keys, kPolicy.tables, Rounds>;
    using Tables = typename Key::Lane;
    constexpr Ciphertext kSide = ciphertext_of(Way);
    walk_in_lanes<Tables, false>(thread, arguments, [&](const Tables& tables, uint32_t first, uint32_t step) {
      const auto count = [&] { LaneWalk<SivCtr<Key>, Thread>(thread, tables, arguments)(first, step); };
      if constexpr (kSide == Ciphertext::input) {
        count();
        thread.sync_warp();
      }
      LaneWalk<LaneS2v<Key, Keys, kSide>, Thread>(thread, tables, arguments)(first, step);
      if constexpr (kSide == Ciphertext::output) count();
    });
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
