// CCM (SP 800-38C) and EAX (Bellare, Rogaway, Wagner: "The EAX Mode of Operation", FSE 2004) for batches of
// independent messages.
//
// Threads. A lane walks one message from its first block to its last, and then takes its next message: the
// picture is in lane/frame.hpp. Both modes consist of a counter mode and a MAC that chains from block to
// block, so they call the cipher twice a block. A lane computes the key stream of the next block while it
// chains the present one. So the two calls never wait for each other, whether the MAC is of the plaintext or
// of the ciphertext, and a round of one hides the latency of a round of the other.
//
// Keys. One for all messages, or one for each, which the lane expands anew for each block
// (lane/lane_keys.hpp), once for both calls.
//
// Memory. Each lane by itself reads nonces and additional data when a message begins. That suits headers, and
// is slow for long additional data.
//
// Limits. Shared memory: docs/benchmarks.md counts the look-ups. Timing class: conflict-free.
#pragma once

#include "kernels/lane/accepted_messages.hpp"
#include "kernels/lane/frame.hpp"
#include "primitives/next_counter.hpp"

namespace warpaes::core {

enum class CcmOrEax { ccm, eax };

struct CcmEaxArguments : MessageBatch, LaneKeyArguments {
  Columns only_nonce;  // the nonce of a batch that has one only; of EAX its OMAC, which the host computed
  uint32_t warps;  // how many warps of a thread block take messages; the others only help to fill the tables
};

/// What the MAC begins with before the message's data: a block, and a string behind it.
struct ChainedString {
  Columns first;
  const uint8_t* data;
  uint64_t bytes;
};

/// SP 800-38C appendix A.2.2: additional data is preceded by its length, which takes 2, 6 or 10 bytes.
struct CcmAad {
  const uint8_t* data;
  uint64_t bytes;
  uint32_t prefix;

  WARPAES_HOST_DEVICE CcmAad(const uint8_t* from, uint64_t length)
      : data(from),
        bytes(length),
        prefix(length < 0xff00         ? 2
               : length <= 0xffffffffu ? 6
                                       : 10) {}

  WARPAES_HOST_DEVICE uint64_t blocks() const { return bytes == 0 ? 0 : (prefix + bytes + 15) / 16; }

  WARPAES_HOST_DEVICE uint32_t byte(uint64_t at) const {
    if (at >= prefix) return at - prefix < bytes ? data[at - prefix] : 0;
    if (prefix > 2 && at < 2) return at == 1 && prefix == 6 ? 0xfe : 0xff;
    return static_cast<uint32_t>(bytes >> (8 * (prefix - 1 - at))) & 0xff;
  }

  WARPAES_HOST_DEVICE Columns block(uint64_t index) const {
    uint32_t word[4] = {0, 0, 0, 0};
    WARPAES_UNROLL
    for (uint32_t i = 0; i < 16; i++) word[i / 4] |= byte(16 * index + i) << (8 * (i % 4));
    return {word[0], word[1], word[2], word[3]};
  }
};

/// The mode of a LaneWalk (lane/frame.hpp).
/// @tparam Key SharedLaneKey or OwnLaneKey
template <CcmOrEax Mode, Ciphertext Side, class Key>
class CcmEaxMode {
 public:
  using Arguments = CcmEaxArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = false, kStores = true, kSteals = false, kRuns = false;

  WARPAES_HOST_DEVICE CcmEaxMode(const Tables& tables, const Arguments& arguments)
      : arguments_(arguments), key_(tables, arguments) {}

  WARPAES_HOST_DEVICE BatchedMessage look(uint32_t index) const { return {arguments_, index}; }

  WARPAES_HOST_DEVICE bool accepts(const BatchedMessage& message, uint32_t index) const {
    return accepts_or_reports<Side>(arguments_, message, index);
  }

  /// Takes the key and does what comes before the data. This is a loop of turns, so that the code of the
  /// cipher, which is long, is there only once.
  WARPAES_HOST_DEVICE void begin(const BatchedMessage& message, uint32_t index) {
    key_.take(index);
    WARPAES_KEEP_ROLLED
    for (int32_t turn = kOwnSubkeys ? -1 : 0; turn < (kEax ? 4 : 3); turn++) {
      if constexpr (kEax) {
        eax_turn(turn, message, index);
      } else {
        ccm_turn(turn, message, index);
      }
    }
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void crypt(Thread&, Columns (&tile)[kSharers], uint32_t bytes, uint64_t left) {
    const uint32_t last = bytes == left && bytes != 0 ? (bytes - 1) / 16 : kSharers;
    in_turn(tile, [&](uint32_t k, Columns in) {
      const Columns out = in ^ stream_;
      Columns link = kMacOfInput ? in : out;
      if (k == last) link = last_block(link, bytes - 16 * k);
      link = link ^ chain_;
      stream_ = counter_;
      counter_ = next_counter(counter_);
      key_.encrypt_both(link, stream_);
      if (16 * k < bytes) chain_ = link;
      return out;
    });
  }

  template <class Thread>
  WARPAES_HOST_DEVICE void end(Thread& thread, uint32_t index, bool ends) const {
    finish_or_wipe<Side>(thread, arguments_, index, ends, chain_ ^ tag_mask_);
  }

 private:
  static constexpr bool kEax = Mode == CcmOrEax::eax;
  /// Subkeys of the MAC of EAX. If the lane has a key of its own, it computes them itself, in a turn before
  /// the others.
  static constexpr bool kOwnSubkeys = kEax && Key::kOwn;
  /// Is the MAC of what the lane reads? In CCM it is of the plaintext, in EAX of the ciphertext.
  static constexpr bool kMacOfInput = kEax == (Side == Ciphertext::input);

  WARPAES_HOST_DEVICE const uint8_t* nonce(uint32_t index) const {
    return arguments_.nonce(computed_again(index));
  }

  /// A block of SP 800-38C appendices A.2.1 and A.3: flags, the nonce, and a number at the end.
  WARPAES_HOST_DEVICE Columns ccm_block(uint32_t index, uint32_t flags, uint64_t number) const {
    const uint32_t bytes = arguments_.nonce_bytes;
    const Columns nonce =
        arguments_.has_nonces() ? load_bytes(this->nonce(index), bytes) : arguments_.only_nonce;
    // Flags and nonce leave some of the block's bytes to the number.
    const uint32_t high = static_cast<uint32_t>(number >> 32), low = static_cast<uint32_t>(number);
    return moved_up(nonce, 1) ^ Columns { flags, 0, reverse_bytes(high), reverse_bytes(low) };
  }

  WARPAES_HOST_DEVICE void ccm_turn(int32_t turn, const BatchedMessage& message, uint32_t index) {
    const uint32_t q = 15 - arguments_.nonce_bytes;
    if (turn == 1) {  // B_0 and the additional data
      const uint32_t flags =
          (message.aad_bytes != 0 ? 0x40 : 0) | (arguments_.tag_bytes - 2) / 2 << 3 | (q - 1);
      const CcmAad aad(message.aad, message.aad_bytes);
      chain_ = chained(ccm_block(index, flags, message.bytes), aad.blocks(),
                       [&](uint64_t i) { return aad.block(i); }, {0, 0, 0, 0});
      return;
    }
    const Columns counter = ccm_block(index, q - 1, turn == 0 ? 0 : 1);
    const Columns stream = chained(counter, 0, [](uint64_t) { return Columns{0, 0, 0, 0}; }, {0, 0, 0, 0});
    (turn == 0 ? tag_mask_ : stream_) = stream;
    counter_ = next_counter(counter);
  }

  /// One turn of OMAC^0 of the nonce, OMAC^1 of the additional data and OMAC^2 of the ciphertext (figure 4).
  /// The last of them goes on with the data. Another turn makes the first block of the key stream.
  WARPAES_HOST_DEVICE void eax_turn(int32_t turn, const BatchedMessage& message, uint32_t index) {
    const bool of_zeros = kOwnSubkeys && turn == -1;
    ChainedString string{{0, 0, 0, of_zeros ? 0 : static_cast<uint32_t>(turn) << 24}, nullptr, 0};
    if (turn == 0) {
      if (!arguments_.has_nonces()) {
        counter_ = tag_mask_ = arguments_.only_nonce;
        return;
      }
      string.data = nonce(index);
      string.bytes = arguments_.nonce_bytes;
    }
    if (turn == 1) {
      string.data = message.aad;
      string.bytes = message.aad_bytes;
    }
    if (turn == 3) string.first = counter_;
    const bool goes_on = turn == 3 || of_zeros || (turn == 2 && message.bytes != 0);
    const uint64_t blocks = (string.bytes + 15) / 16;
    const uint32_t last_bytes = blocks == 0 ? 16 : static_cast<uint32_t>(string.bytes - 16 * (blocks - 1));
    const Columns result = chained(
        string.first, blocks, [&](uint64_t i) { return load_block(string.data, string.bytes, i); },
        goes_on ? Columns{0, 0, 0, 0} : mask(last_bytes));
    if (of_zeros) encrypted_zeros_ = result;
    if (turn == 0) counter_ = tag_mask_ = result;
    if (turn == 1) tag_mask_ = tag_mask_ ^ result;
    if (turn == 2) chain_ = result;
    if (turn == 3) {
      stream_ = result;
      counter_ = next_counter(counter_);
    }
  }

  /// @param block (uint64_t) -> Columns, the blocks behind the first one
  /// @param last is added before the last encryption
  template <class Block>
  WARPAES_HOST_DEVICE Columns chained(Columns first, uint64_t blocks, const Block& block,
                                      Columns last) const {
    WARPAES_KEEP_ROLLED
    for (uint64_t i = 0; i <= blocks; i++) {
      if (i != 0) first = first ^ block(i - 1);
      if (i == blocks) first = first ^ last;
      first = key_.encrypt(first);
    }
    return first;
  }

  WARPAES_HOST_DEVICE Columns last_block(Columns block, uint32_t bytes) const {
    if (!kMacOfInput && bytes < 16) block = keep_bytes(block, bytes);
    return kEax ? block ^ mask(bytes) : block;
  }

  /// The mask of a last block of so many bytes, with the padding of SP 800-38B section 6.2: a one bit and
  /// zeros.
  WARPAES_HOST_DEVICE Columns mask(uint32_t bytes) const {
    if constexpr (kOwnSubkeys) {
      return Key::mask_of(encrypted_zeros_, bytes);
    } else {
      return key_.mask(bytes);
    }
  }

  const CcmEaxArguments& arguments_;
  Key key_;
  Columns chain_{0, 0, 0, 0}, tag_mask_{0, 0, 0, 0};
  Columns counter_{0, 0, 0, 0},
      stream_{0, 0, 0, 0};               // the key stream of this block, and the counter of the next
  Columns encrypted_zeros_{0, 0, 0, 0};  // only if kOwnSubkeys
};

namespace kernels::lane {

template <CcmOrEax Mode, warpaes_direction Way, LaneKeys Keys>
struct CcmEax : ForEveryKeySize {
  static constexpr const char* kName = "lane/ccm_eax";
  using Arguments = CcmEaxArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int rounds) {
    if (Keys == LaneKeys::one) return with_tables(on.tables, on.lane_aead_threads);
    if (rounds == 12) return with_tables(on.tables, on.lane_key_192_aead_threads);
    return with_tables(on.tables, Mode == CcmOrEax::eax ? on.lane_key_eax_threads : on.lane_aead_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Key = LaneKey<Keys, kPolicy.tables, Rounds>;
    walk_once<LaneWalk<CcmEaxMode<Mode, ciphertext_of(Way), Key>, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
