// Batches of CFB with segments of 8 bits and of 1 bit (SP 800-38A section 6.3), with a message in each lane.
// Encryption and decryption are one kernel, as both encrypt the last 128 bits of IV and ciphertext.
//
// A block of the cipher yields one byte, or one bit. So access to memory does not matter, and a lane reads
// and writes its own message, 16 bytes at a time. The highest bit of a byte is the first. The shift register
// and the text are kept as big-endian words: the text leaves at the top, segment by segment, and the result
// enters at the bottom.
//
// Limits. Look-ups: all of a block's but 12, as one column of the last round is enough. Timing class:
// conflict-free.
#pragma once

#include "kernels/lane/frame.hpp"
#include "kernels/lane/lane_messages.hpp"

namespace warpaes::core {

/// @tparam Key a LaneKey
template <class Key, class Thread>
class ShortSegmentsWalk {
 public:
  using Arguments = LaneArguments;
  using Tables = typename Key::Lane;
  static constexpr bool kInverts = false;

  WARPAES_HOST_DEVICE ShortSegmentsWalk(Thread& thread, const Tables& tables, const LaneArguments& arguments)
      : thread_(thread),
        arguments_(arguments),
        bits_(arguments.mode == CipherMode::cfb8_encrypt || arguments.mode == CipherMode::cfb8_decrypt ? 8
                                                                                                       : 1),
        decrypts_(arguments.mode == CipherMode::cfb8_decrypt || arguments.mode == CipherMode::cfb1_decrypt),
        key_(tables, arguments) {}

  /// @param message,step this lane's first message, and the distance to its next ones; all lanes of a warp
  ///        call
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    message = take(message, step);
    while (thread_.any(left_ != 0)) {
      const uint32_t bytes = left_ < 16 ? static_cast<uint32_t>(left_) : 16;
      const bool quick = bytes == 16 && is_aligned(input_) && is_aligned(output_);
      const Columns text = crypt(quick ? load_aligned(input_) : load_bytes(input_, bytes), bytes);
      if (quick) {
        store_aligned(output_, text);
      } else {
        store_bytes(output_, text, bytes);
      }
      if (left_ == 0) continue;
      if (left_ == bytes && arguments_.unused_bits != 0) {
        output_[bytes - 1] = static_cast<uint8_t>(output_[bytes - 1] & 0xffu << arguments_.unused_bits);
      }
      input_ += bytes;
      output_ += bytes;
      left_ -= bytes;
      if (left_ == 0) message = take(message, step);
    }
  }

 private:
  /// Takes the next message that has work to do, beginning with this one.
  /// @return the message behind it
  WARPAES_HOST_DEVICE uint32_t take(uint32_t message, uint32_t step) {
    for (; message < arguments_.messages; message += step) {
      const LaneMessage found = lane_message<true>(arguments_, message);
      const int32_t status = found.bytes > arguments_.bytes
                                 ? WARPAES_ERROR_LENGTH
                                 : pointers_status<true>(arguments_, message, found, found.bytes);
      if (arguments_.statuses != nullptr) arguments_.statuses[message] = status;
      if (status != WARPAES_OK || found.bytes == 0) continue;
      input_ = found.input, output_ = found.output, left_ = found.bytes;
      key_.take(message);
      register_ = reversed(load_bytes(arguments_.iv(message), 16));
      return message + step;
    }
    return message;
  }

  WARPAES_HOST_DEVICE static Columns reversed(Columns v) {
    return {reverse_bytes(v.a), reverse_bytes(v.b), reverse_bytes(v.c), reverse_bytes(v.d)};
  }

  /// Encrypts or decrypts one block of text in each lane of the warp, of which this lane has so many bytes.
  WARPAES_HOST_DEVICE Columns crypt(Columns block, uint32_t bytes) {
    Columns text = reversed(block);
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < 4; k++) {
      uint32_t word = text.a;
      text.a = text.b, text.b = text.c, text.c = text.d;
      if (thread_.any(bytes > 4 * k)) word = crypt_word(word);
      text.d = word;
    }
    return reversed(text);
  }

  /// Bytes behind the message's end are worked on as well, so that the lanes stay together; their results are
  /// not used.
  WARPAES_HOST_DEVICE uint32_t crypt_word(uint32_t word) {
    WARPAES_KEEP_ROLLED
    for (uint32_t bit = 0; bit < 32; bit += bits_) {
      key_.keep_rolled();
      const uint32_t stream = reverse_bytes(key_.encrypt(reversed(register_)).a);
      const uint32_t read = word >> (32 - bits_), written = read ^ stream >> (32 - bits_);
      word = word << bits_ | written;
      shift_in(decrypts_ ? read : written);
    }
    return word;
  }

  WARPAES_HOST_DEVICE void shift_in(uint32_t segment) {
    const auto shifted = [this](uint32_t high, uint32_t low) {
      return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (32 - bits_));
    };
    register_ = {shifted(register_.a, register_.b), shifted(register_.b, register_.c),
                 shifted(register_.c, register_.d), register_.d << bits_ | segment};
  }

  Thread& thread_;
  const LaneArguments& arguments_;
  const uint32_t bits_;  // how many bits a segment has
  const bool decrypts_;
  Key key_;
  const uint8_t* input_ = nullptr;  // what is left of the message, and where its output goes
  uint8_t* output_ = nullptr;
  uint64_t left_ = 0;
  Columns register_{0, 0, 0, 0};
};

namespace kernels::lane {

/// The kernel of both modes in both directions; the arguments say which.
template <LaneKeys Keys>
struct Cfb8Cfb1 : ForEveryKeySize {
  static constexpr const char* kName = "lane/cfb8_cfb1";
  using Arguments = LaneArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, Keys == LaneKeys::one ? on.lane_threads : on.lane_key_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    walk_once<ShortSegmentsWalk<LaneKey<Keys, kPolicy.tables, Rounds>, Thread>>(thread, arguments);
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
