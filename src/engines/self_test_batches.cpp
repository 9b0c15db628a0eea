#include <algorithm>
#include <utility>

#include "engines/known_batches.hpp"
#include "engines/self_test_parts.hpp"
#include "modes/mode_table.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

namespace known = known_answers;
using known::pattern;

/// A mode in one direction.
struct Work {
  warpaes_mode mode;
  Direction direction;
  bool is_xts() const { return mode == WARPAES_MODE_XTS; }
};
constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// The key of a message. XTS has two, of which the second is the one that the answers for a single message
/// have.
Bytes keys_of(warpaes_mode mode, size_t key_bytes) {
  const Bytes key = pattern(key_bytes, 1);
  return mode == WARPAES_MODE_XTS ? key + pattern(key_bytes, 6) : key;
}

class Batches : Part {
 public:
  explicit Batches(const Subject& subject) : Part(subject) {}

  void run() {
    for (const auto& answer : known::kLanes) check_lanes(answer);
    for (const auto& answer : known::kWraps) check_wrap(answer);
    for (const auto& answer : known::kDataUnits) check_data_unit(answer);
    for (const auto& answer : known::kLongBatches) check_long_batches(answer);
  }

 private:
  void check_lanes(const known::Lanes& answer) {
    constexpr std::pair<const char*, Work> kWork[] = {
        {"ecb encrypt", {WARPAES_MODE_ECB, kEncrypt}}, {"ecb decrypt", {WARPAES_MODE_ECB, kDecrypt}},
        {"cbc encrypt", {WARPAES_MODE_CBC, kEncrypt}}, {"cbc decrypt", {WARPAES_MODE_CBC, kDecrypt}},
        {"cfb encrypt", {WARPAES_MODE_CFB, kEncrypt}}, {"cfb decrypt", {WARPAES_MODE_CFB, kDecrypt}},
        {"ofb", {WARPAES_MODE_OFB, kEncrypt}},         {"ctr", {WARPAES_MODE_CTR, kEncrypt}},
        {"cmac", {WARPAES_MODE_CMAC, kEncrypt}}};
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    for (size_t i = 0; i < answer.answers.size(); i++) {
      const auto& [name, work] = kWork[i];
      if (!has(work.mode)) continue;
      const bool whole_blocks = mode_row(work.mode).encrypt.multiple == 16;
      CipherCall call{work.mode, work.direction, known::kLaneMessages, known::kLaneStride, {}, {}, {}};
      for (unsigned m = 0; m < known::kLaneMessages; m++) {
        call.ivs = std::move(call.ivs) + pattern(16, 16 + m);
        call.input = std::move(call.input) + pattern(known::kLaneStride, 32 + m);
        call.lengths.push_back(known::lane_bytes(whole_blocks, m));
      }
      Bytes made;
      const auto is_right = [&](const Bytes& output) {
        made = output;
        return sha256(output) == answer.answers[i];
      };
      check_call(name, answer.key_bits, call, is_right);
      if (work.mode == WARPAES_MODE_CMAC) check_macs(answer.key_bits, std::move(call), std::move(made));
    }
  }

  /// Has right tags accepted, and after that the last message's refused, of which a bit has changed.
  void check_macs(int key_bits, CipherCall call, Bytes tags) {
    call.direction = kDecrypt;
    call.tags = std::move(tags);
    const auto are_read = [&](const Bytes& found) { return found == call.tags; };
    check_call("cmac check", key_bits, call, are_read);
    call.tags.back() ^= 1;
    call.statuses.assign(call.messages, WARPAES_OK);
    call.statuses.back() = WARPAES_ERROR_AUTHENTICATION;
    check_call("cmac check", key_bits, call, are_read);
  }

  /// Checks with the key that has been set.
  template <class IsRight>
  void check_call(const char* name, int key_bits, CipherCall call, IsRight is_right) {
    for (const bool in_place : {false, true}) {
      begin(name, key_bits, in_place ? "batch in place" : "batch");
      require(is_right(bench_.cipher_batch(call, in_place)), "output differs");
    }
    if (engine_.modes[call.mode].run_key_each == nullptr) return;
    if (call.keys.empty()) {
      const Bytes keys = keys_of(call.mode, static_cast<size_t>(key_bits) / 8);
      for (size_t m = 0; m < call.messages; m++) call.keys = std::move(call.keys) + keys;
    }
    begin(name, key_bits, "batch with a key each");
    require(is_right(bench_.cipher_batch(call, false)), "output differs");
  }

  /// A batch that has one message so often that all lanes of two warps and one more lane have work.
  static CipherCall batch_of_one(const Work& work, const Bytes& iv, const Bytes& input, uint64_t output_bytes,
                                 const Bytes& keys) {
    const uint64_t stride = std::max<uint64_t>(input.size(), output_bytes);
    CipherCall call{work.mode, work.direction, known::kExampleMessages, stride, {}, {}, {}};
    for (size_t m = 0; m < call.messages; m++) {
      Bytes row = input;
      row.resize(stride);
      call.ivs = std::move(call.ivs) + iv;
      call.input = std::move(call.input) + row;
      call.keys = std::move(call.keys) + keys;
      call.lengths.push_back(input.size());
      call.output_lengths.push_back(output_bytes);
    }
    return call;
  }

  static bool is_repeated(const Bytes& output, const Bytes& expected) {
    Bytes all;
    for (size_t m = 0; m < known::kExampleMessages; m++) all = std::move(all) + expected;
    return output == all;
  }

  /// Checks the example under one key, and under the same key given for each message.
  void check_example(const char* name, const Work& work, const Bytes& keys, const Bytes& iv,
                     const Bytes& input, const Bytes& expected) {
    const int key_bits = static_cast<int>(8 * keys.size() / (work.is_xts() ? 2 : 1));
    CipherCall call = batch_of_one(work, iv, input, expected.size(), keys);
    const Bytes each = std::exchange(call.keys, {});
    begin(name, key_bits, "example");
    require(is_repeated(bench_.cipher_batch(call, false), expected), "output differs");
    if (engine_.modes[work.mode].run_key_each == nullptr) return;
    call.keys = each;
    begin(name, key_bits, "example with a key each");
    require(is_repeated(bench_.cipher_batch(call, true), expected), "output differs");
  }

  void check_wrap(const known::Wrap& answer) {
    const Bytes key = bytes_of_hex(answer.key), data = bytes_of_hex(answer.data);
    const Bytes wrapped = bytes_of_hex(answer.wrapped);
    const warpaes_mode mode = answer.padded ? WARPAES_MODE_KWP : WARPAES_MODE_KW;
    if (!has(mode)) return;
    bench_.set_key(key);
    check_example(answer.padded ? "kwp wrap" : "kw wrap", {mode, kEncrypt}, key, {}, data, wrapped);
    check_example(answer.padded ? "kwp unwrap" : "kw unwrap", {mode, kDecrypt}, key, {}, wrapped, data);
  }

  void check_data_unit(const known::DataUnit& answer) {
    if (!has(WARPAES_MODE_XTS)) return;
    const Bytes key = bytes_of_hex(answer.key), tweak_key = bytes_of_hex(answer.tweak_key);
    const Bytes plaintext = bytes_of_hex(answer.plaintext), ciphertext = bytes_of_hex(answer.ciphertext);
    Bytes tweak = bytes_of_hex(answer.number);
    tweak.resize(16);
    bench_.set_key(key);
    bench_.set_other_key(tweak_key);
    check_example("xts encrypt", {WARPAES_MODE_XTS, kEncrypt}, key + tweak_key, tweak, plaintext, ciphertext);
    check_example("xts decrypt", {WARPAES_MODE_XTS, kDecrypt}, key + tweak_key, tweak, ciphertext, plaintext);
  }

  void check_long_batches(const known::LongBatches& answer) {
    const size_t key_bytes = static_cast<size_t>(answer.key_bits) / 8;
    bench_.set_key(pattern(key_bytes, 1));
    bench_.set_other_key(pattern(key_bytes, 6));
    for (size_t i = 0; i < known::kLongBatchModes.size(); i++) {
      const known::LongBatchMode& mode = known::kLongBatchModes[i];
      if (has(mode.mode)) check_there_and_back(mode, answer.key_bits, answer.answers[i]);
    }
  }

  /// Encrypts ragged messages and decrypts them again. A message that has been damaged must be refused and
  /// zeroed, if the mode can notice.
  void check_there_and_back(const known::LongBatchMode& work, int key_bits, std::string_view answer) {
    const warpaes_mode mode = work.mode;
    const LengthRule& lengths = mode_row(mode).encrypt;
    const uint64_t stride = lengths.output(work.lengths.of(known::kLaneMessages));
    CipherCall call{mode, kEncrypt, known::kLaneMessages, stride, {}, {}, {}};
    CipherCall back{mode, kDecrypt, known::kLaneMessages, stride, {}, {}, {}};
    Bytes plaintext;
    for (unsigned m = 0; m < known::kLaneMessages; m++) {
      const size_t bytes = work.lengths.of(m);
      const Bytes message = pattern(bytes, 32 + m);
      Bytes row = message;
      row.resize(call.stride);
      call.ivs = std::move(call.ivs) + pattern(16, 16 + m);
      call.input = std::move(call.input) + row;
      plaintext = std::move(plaintext) + message;
      call.lengths.push_back(bytes);
      call.output_lengths.push_back(lengths.output(bytes));
    }
    Bytes sealed;
    check_call(work.encrypts, key_bits, call, [&](const Bytes& output) {
      sealed = output;
      return sha256(output) == answer;
    });
    if (mode == WARPAES_MODE_CFB1) check_unused_bits(work.encrypts, key_bits, call, sealed);
    back.ivs = call.ivs;
    back.lengths = call.output_lengths;
    back.output_lengths = call.lengths;
    auto at = sealed.begin();
    for (size_t m = 0; m < back.messages; m++) {
      const auto end = at + static_cast<ptrdiff_t>(back.lengths[m]);
      Bytes row(at, end);
      row.resize(back.stride);
      back.input = std::move(back.input) + row;
      at = end;
    }
    check_call(work.decrypts, key_bits, back, [&](const Bytes& output) { return output == plaintext; });
    if (mode_row(mode).authenticates) check_damaged(work.decrypts, key_bits, back, plaintext);
  }

  /// A segment of CFB-1 depends on those before it only: without its last bits, a message is the same but for
  /// them.
  void check_unused_bits(const char* name, int key_bits, CipherCall call, Bytes sealed) {
    constexpr unsigned kUnused = 3;
    call.unused_bits = kUnused;
    size_t end = 0;
    for (const uint64_t bytes : call.lengths) {
      end += bytes;
      if (bytes != 0) sealed[end - 1] &= static_cast<uint8_t>(0xffu << kUnused);
    }
    check_call(name, key_bits, call, [&](const Bytes& output) { return output == sealed; });
  }

  /// Decrypts after one bit of the last message has changed.
  void check_damaged(const char* name, int key_bits, CipherCall call, Bytes plaintext) {
    call.input[call.input.size() - call.stride] ^= 1;
    call.statuses.assign(call.messages, WARPAES_OK);
    call.statuses.back() = WARPAES_ERROR_AUTHENTICATION;
    const size_t bytes = std::exchange(call.output_lengths.back(), 0);
    plaintext.resize(plaintext.size() - bytes);
    check_call(name, key_bits, call, [&](const Bytes& output) { return output == plaintext; });
  }
};

}  // namespace

void check_batches(const Subject& subject) { Batches(subject).run(); }

}  // namespace warpaes::core::self_test_parts
