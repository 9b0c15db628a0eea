#include <algorithm>
#include <utility>

#include "engines/known_batches.hpp"
#include "engines/self_test_parts.hpp"
#include "modes/mode_table.hpp"
#include "primitives/align.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

namespace known = known_answers;
using known::pattern;

constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// @param message,iv (unsigned number) -> Bytes
BatchCall batch_of(warpaes_mode mode, Direction direction, uint64_t messages, uint64_t stride, auto message,
                   const auto& iv) {
  BatchCall call{mode, direction, messages, stride, {}, {}};
  for (unsigned m = 0; m < messages; m++) {
    Bytes row = message(m);
    call.lengths.push_back(row.size());
    row.resize(stride);
    append(call.input, row);
    append(call.nonces, iv(m));
  }
  return call;
}

Bytes iv_of(unsigned message) { return pattern(16, 16 + message); }

class Batches : Part {
 public:
  explicit Batches(const Subject& subject) : Part(subject) {}

  void run() {
    for (const auto& answers : known::kRagged) check_ragged(answers);
    for (const auto& answer : known::kWraps) check_wrap(answer);
    for (const auto& answer : known::kDataUnits) check_data_unit(answer);
  }

 private:
  void check_ragged(const known::Ragged& answers) {
    const size_t key_bytes = static_cast<size_t>(answers.key_bits) / 8;
    bench_.set_key(pattern(key_bytes, 1));
    bench_.set_other_key(pattern(key_bytes, 6));
    for (size_t i = 0; i < known::kRaggedModes.size(); i++) {
      const known::RaggedMode& work = known::kRaggedModes[i];
      if (has(work.mode)) check_there_and_back(work, key_bytes, answers.answers[i]);
    }
  }

  /// Encrypts messages of many lengths and decrypts them again.
  void check_there_and_back(const known::RaggedMode& work, size_t key_bytes, std::string_view answer) {
    const auto plaintext = [&](unsigned m) { return pattern(work.lengths.of(m), 32 + m); };
    const ModeRow& mode = mode_row(work.mode);
    const size_t longest = work.lengths.of(known::kRaggedMessages);
    const uint64_t room = std::max<uint64_t>(longest, mode.encrypt.output(longest));
    BatchCall call = batch_of(work.mode, kEncrypt, known::kRaggedMessages,
                              work.aligned ? rounded_up(room, 16) : room, plaintext, iv_of);
    BatchResult sealed, opened{{}, {}, std::vector<int32_t>(call.messages, WARPAES_OK), {}};
    std::vector<uint64_t> sealed_lengths;
    for (unsigned m = 0; m < call.messages; m++) {
      sealed_lengths.push_back(mode.encrypt.output(call.lengths[m]));
      opened.lengths.push_back(mode.has_output ? call.lengths[m] : 0);
      if (mode.has_output) append(opened.output, plaintext(m));
    }
    check_call(work.encrypts, key_bytes, call, [&](const BatchResult& result) {
      sealed = result;
      Bytes all = result.output;
      append(all, result.tags);
      return result.statuses == opened.statuses && result.lengths == sealed_lengths && sha256(all) == answer;
    });
    if (work.mode == WARPAES_MODE_CFB1) check_unused_bits(work.encrypts, key_bytes, call, sealed.output);
    if (mode.has_output) {
      const auto ciphertext = [&, at = sealed.output.begin()](unsigned m) mutable {
        const auto begin = std::exchange(at, at + static_cast<ptrdiff_t>(sealed_lengths[m]));
        return Bytes(begin, at);
      };
      call = batch_of(work.mode, kDecrypt, call.messages, call.stride, ciphertext, iv_of);
    }
    call.direction = kDecrypt;
    call.tags = opened.tags = sealed.tags;
    check_opened(work.decrypts, key_bytes, std::move(call), std::move(opened));
  }

  /// Decrypts; and if the mode can notice that, once more when a bit of the last message, or of its tag, has
  /// changed: then it must be refused.
  void check_opened(const char* name, size_t key_bytes, BatchCall call, BatchResult expected) {
    const auto is_right = [&](const BatchResult& result) { return result == expected; };
    check_call(name, key_bytes, call, is_right);
    const ModeRow& mode = mode_row(call.mode);
    if (!mode.authenticates) return;
    (mode.has_tag() ? call.tags.back() : call.input[call.input.size() - call.stride]) ^= 1;
    expected.tags = call.tags;
    expected.statuses.back() = WARPAES_ERROR_AUTHENTICATION;
    expected.output.resize(expected.output.size() - std::exchange(expected.lengths.back(), 0));
    check_call(name, key_bytes, call, is_right);
  }

  /// A segment of CFB-1 depends on those before it only: without its last bits, a message is the same but for
  /// them.
  void check_unused_bits(const char* name, size_t key_bytes, BatchCall call, Bytes sealed) {
    constexpr unsigned kUnused = 3;
    call.unused_bits = kUnused;
    size_t end = 0;
    for (const uint64_t bytes : call.lengths) {
      end += bytes;
      if (bytes != 0) sealed[end - 1] &= static_cast<uint8_t>(0xffu << kUnused);
    }
    check_call(name, key_bytes, call, [&](const BatchResult& result) { return result.output == sealed; });
  }

  /// Checks with the keys that have been set.
  void check_call(const char* name, size_t key_bytes, BatchCall call, const auto& is_right) {
    for (const bool in_place : {false, true}) {
      begin(name, 8 * key_bytes, in_place ? "batch in place" : "batch");
      require(is_right(bench_.batch(call, in_place)), "output differs");
    }
    if (engine_.modes[call.mode].run_key_each == nullptr) return;
    for (size_t m = 0; m < call.messages; m++) {
      append(call.keys, pattern(key_bytes, 1));
      if (call.mode == WARPAES_MODE_XTS) append(call.keys, pattern(key_bytes, 6));
    }
    begin(name, 8 * key_bytes, "batch with a key each");
    require(is_right(bench_.batch(call, false)), "output differs");
  }

  /// Checks an example, of which a batch has so many that all lanes of two warps and one more lane have work:
  /// under one key, and under the same key given for each message.
  void check_example(const char* name, warpaes_mode mode, Direction direction, const Bytes& keys,
                     const Bytes& iv, const Bytes& input, const Bytes& expected) {
    const size_t key_bits = 8 * keys.size() / mode_row(mode).key_count;
    BatchCall call = batch_of(
        mode, direction, known::kExampleMessages, std::max(input.size(), expected.size()),
        [&](unsigned) { return input; }, [&](unsigned) { return iv; });
    Bytes all, keys_each;
    for (size_t m = 0; m < call.messages; m++) append(all, expected), append(keys_each, keys);
    begin(name, key_bits, "example");
    require(bench_.batch(call, false).output == all, "output differs");
    if (engine_.modes[mode].run_key_each == nullptr) return;
    call.keys = keys_each;
    begin(name, key_bits, "example with a key each");
    require(bench_.batch(call, true).output == all, "output differs");
  }

  void check_wrap(const known::Wrap& answer) {
    const Bytes key = bytes_of_hex(answer.key), data = bytes_of_hex(answer.data);
    const Bytes wrapped = bytes_of_hex(answer.wrapped);
    const warpaes_mode mode = answer.padded ? WARPAES_MODE_KWP : WARPAES_MODE_KW;
    if (!has(mode)) return;
    bench_.set_key(key);
    check_example(answer.padded ? "kwp wrap" : "kw wrap", mode, kEncrypt, key, {}, data, wrapped);
    check_example(answer.padded ? "kwp unwrap" : "kw unwrap", mode, kDecrypt, key, {}, wrapped, data);
  }

  void check_data_unit(const known::DataUnit& answer) {
    if (!has(WARPAES_MODE_XTS)) return;
    Bytes keys = bytes_of_hex(answer.key);
    const Bytes tweak_key = bytes_of_hex(answer.tweak_key);
    const Bytes plaintext = bytes_of_hex(answer.plaintext), ciphertext = bytes_of_hex(answer.ciphertext);
    Bytes tweak = bytes_of_hex(answer.number);
    tweak.resize(16);
    bench_.set_key(keys);
    bench_.set_other_key(tweak_key);
    append(keys, tweak_key);
    check_example("xts encrypt", WARPAES_MODE_XTS, kEncrypt, keys, tweak, plaintext, ciphertext);
    check_example("xts decrypt", WARPAES_MODE_XTS, kDecrypt, keys, tweak, ciphertext, plaintext);
  }
};

}  // namespace

void check_batches(const Subject& subject) { Batches(subject).run(); }

}  // namespace warpaes::core::self_test_parts
