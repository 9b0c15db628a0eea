#include <algorithm>
#include <tuple>
#include <utility>

#include "engines/known_answers.hpp"
#include "engines/self_test_parts.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

namespace known = known_answers;
using known::pattern;

/// A check of the hash of output 0, tag 0, output 1 and so on.
auto hashed_as(std::string_view answer) {
  return [answer](const BatchResult& result) {
    Bytes both;
    const std::span output(result.output), tags(result.tags);
    const size_t messages = tags.size() / 16, bytes = output.size() / messages;
    for (size_t m = 0; m < messages; m++) {
      append(both, output.subspan(m * bytes, bytes));
      append(both, tags.subspan(16 * m, 16));
    }
    require(sha256(both) == answer, "ciphertext or tag differs");
  };
}

class Aeads : Part {
 public:
  explicit Aeads(const Subject& subject) : Part(subject) {}

  void run_gcm() {
    if (!has(WARPAES_MODE_GCM)) return;
    for (const auto& answer : known::kGcms) check_gcm(answer);
    // A GPU has other kernels for long messages and for many, and for each length of keys. A CPU's engine has
    // other functions for parts.
    if (is_brief()) return check_parts_once();
    for (const auto& answer : known::kLongs) check_long_gcm(answer);
    if (engine_.memory == Memory::host) return;
    for (const auto& answer : known::kShifted) check_shifted_gcm(answer);
  }

  void run_others() {
    if (is_brief()) {
      for (const auto& answer : known::kBriefSealed) check_brief(answer);
    } else {
      for (const auto& answer : known::kSealed) check_sealed(answer);
    }
  }

 private:
  static constexpr known::BatchSize kBatch{known::kBatchMessages, known::kBatchBytes};

  void check_gcm(const known::Gcm& answer) {
    Bytes key = bytes_of_hex(known::kGcmKey);
    key.resize(answer.key_bits / 8);
    bench_.set_key(key);
    const BatchCall call = message_of(WARPAES_MODE_GCM, bytes_of_hex(answer.nonce),
                                      bytes_of_hex(known::kGcmAad), bytes_of_hex(known::kGcmPlaintext));
    check_sealed_and_opened("gcm", answer.key_bits, "", call, [&](const BatchResult& result) {
      require(result.output == bytes_of_hex(answer.ciphertext), "output differs");
      require(result.tags == bytes_of_hex(answer.tag), "tag differs");
    });
  }

  void check_long_gcm(const known::Long& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    check_long_message("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm);
    check_batch("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm_batch);
    check_sealed_and_opened("gmac", answer.key_bits, "long ",
                            message_of(WARPAES_MODE_GCM, pattern(12, 3), pattern(known::kLongBytes, 2), {}),
                            hashed_as(answer.gmac));
    if (has_parts()) check_gcm_in_parts(answer.key_bits, known::kLongBytes, hashed_as(answer.gcm));
  }

  void check_shifted_gcm(const known::Shifted& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    check_long_message("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm, known::kShiftedAadBytes);
    for (const auto& [size, right] :
         {std::pair(known::kShiftedFew, answer.few), std::pair(known::kShiftedMany, answer.many)}) {
      check_sealed_and_opened("gcm", answer.key_bits, "misaligned batch ", batch_of(WARPAES_MODE_GCM, size),
                              hashed_as(right));
    }
  }

  void check_parts_once() {
    if (!has_parts()) return;
    bench_.set_key(pattern(32, 1));
    check_gcm_in_parts(256, known::kPartsBytes, [](const BatchResult& sealed) {
      require(sealed.tags == bytes_of_hex(known::kPartsTag), "ciphertext or tag differs");
    });
  }

  /// In both directions. Where the engine cannot decrypt in parts, modes compose them.
  void check_gcm_in_parts(int key_bits, size_t bytes, const auto& require_right) {
    BatchCall call =
        message_of(WARPAES_MODE_GCM, pattern(12, 3), pattern(known::kLongAadBytes, 4), pattern(bytes, 2));
    constexpr size_t kFirstBytes = 16 * 70;
    static_assert(kFirstBytes < known::kPartsBytes);
    begin("gcm", key_bits, "encrypt in parts");
    const BatchResult sealed = bench_.gcm_in_parts(call, kFirstBytes);
    require_right(sealed);
    begin("gcm", key_bits, "decrypt in parts");
    call.direction = WARPAES_DIRECTION_DECRYPT;
    const Bytes plaintext = std::exchange(call.input, sealed.output);
    const BatchResult opened = bench_.gcm_in_parts(call, kFirstBytes);
    if (opened.output.empty()) return;
    require(opened.output == plaintext, "output differs");
    require(opened.tags == sealed.tags, "tag differs");
  }

  bool has_parts() const { return engine_.gcm_part != nullptr || engine_.gcm_part_tag != nullptr; }

  void check_brief(const known::BriefSealed& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    for (const auto& [mode, name, sealed] :
         {std::tuple(WARPAES_MODE_CCM, "ccm", answer.ccm), {WARPAES_MODE_OCB3, "ocb3", answer.ocb3}}) {
      if (!has(mode)) continue;
      const BatchCall call = message_of(mode, pattern(12, 3), pattern(known::kBatchAadBytes, 4),
                                        pattern(known::kBriefSealedBytes, 2));
      check_sealed_and_opened(name, answer.key_bits, "", call, [&](const BatchResult& result) {
        Bytes both = result.output;
        append(both, result.tags);
        require(both == bytes_of_hex(sealed), "ciphertext or tag differs");
      });
    }
  }

  void check_sealed(const known::Sealed& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    bench_.set_other_key(pattern(answer.key_bits / 8, 6));
    if (has(WARPAES_MODE_GCM_SIV) && !answer.gcm_siv.empty()) {
      check_long_message("gcm-siv", WARPAES_MODE_GCM_SIV, answer.key_bits, answer.gcm_siv);
    }
    if (has(WARPAES_MODE_OCB3)) check_long_message("ocb3", WARPAES_MODE_OCB3, answer.key_bits, answer.ocb3);
    constexpr std::pair<warpaes_mode, const char*> kModes[] = {{WARPAES_MODE_GCM_SIV, "gcm-siv"},
                                                               {WARPAES_MODE_CCM, "ccm"},
                                                               {WARPAES_MODE_EAX, "eax"},
                                                               {WARPAES_MODE_OCB3, "ocb3"},
                                                               {WARPAES_MODE_SIV, "siv"}};
    for (size_t i = 0; i < std::size(kModes); i++) {
      const auto [mode, name] = kModes[i];
      if (has(mode) && !answer.batches[i].empty())
        check_batch(name, mode, answer.key_bits, answer.batches[i]);
    }
    if (has(WARPAES_MODE_SIV)) check_strings(answer);
  }

  /// SIV with several strings of additional data.
  void check_strings(const known::Sealed& answer) {
    BatchCall call = batch_of(WARPAES_MODE_SIV, kBatch);
    call.aad.clear();
    call.aad_strings = known::kBatchStrings;
    for (unsigned s = 0; s < known::kBatchMessages * known::kBatchStrings; s++) {
      append(call.aad, pattern(known::kBatchAadBytes, 64 + s));
    }
    check_sealed_and_opened("siv", answer.key_bits, "several strings ", call, hashed_as(answer.siv_strings));
  }

  void check_long_message(const char* name, warpaes_mode mode, int key_bits, std::string_view answer,
                          size_t aad_bytes = known::kLongAadBytes) {
    const BatchCall call =
        message_of(mode, pattern(12, 3), pattern(aad_bytes, 4), pattern(known::kLongBytes, 2));
    check_sealed_and_opened(name, key_bits, "long ", call, hashed_as(answer));
  }

  void check_batch(const char* name, warpaes_mode mode, int key_bits, std::string_view answer) {
    BatchCall call = batch_of(mode, kBatch);
    check_sealed_and_opened(name, key_bits, "batch ", call, hashed_as(answer));
    if (engine_.modes[mode].run_key_each == nullptr) return;
    for (unsigned m = 0; m < known::kBatchMessages; m++) {
      if (mode == WARPAES_MODE_SIV) append(call.keys, pattern(key_bits / 8, 6));
      append(call.keys, pattern(key_bits / 8, 1));
    }
    check_sealed_and_opened(name, key_bits, "batch with a key each ", call, hashed_as(answer));
  }

  static BatchCall message_of(warpaes_mode mode, const Bytes& nonce, const Bytes& aad, const Bytes& text) {
    return {mode, WARPAES_DIRECTION_ENCRYPT, 1, text.size(), nonce, text, {}, aad};
  }

  static BatchCall batch_of(warpaes_mode mode, known::BatchSize size) {
    BatchCall call{mode, WARPAES_DIRECTION_ENCRYPT, size.messages, size.bytes, {}, {}};
    call.aad = pattern(known::kBatchAadBytes, 4);
    for (unsigned m = 0; m < size.messages; m++) {
      append(call.nonces, pattern(12, 16 + m));
      append(call.input, pattern(size.bytes, 32 + m));
    }
    return call;
  }

  /// Encrypts, decrypts in place, and then decrypts with one wrong bit in the last message's tag.
  void check_sealed_and_opened(const char* mode, size_t key_bits, const std::string& variant,
                               const BatchCall& call, const auto& require_right) {
    begin(mode, key_bits, variant + "encrypt");
    const BatchResult sealed = bench_.batch(call, false);
    require_right(sealed);

    begin(mode, key_bits, variant + "decrypt");
    BatchCall opening = call;
    opening.direction = WARPAES_DIRECTION_DECRYPT;
    opening.input = sealed.output;
    opening.tags = sealed.tags;
    const BatchResult opened = bench_.batch(opening, true);
    std::vector<int32_t> statuses(call.messages, WARPAES_OK);
    require(opened.statuses == statuses, "a right tag is refused");
    require(opened.output == call.input, "output differs");

    begin(mode, key_bits, variant + "decrypt with a wrong tag");
    opening.tags.back() ^= 1;
    const BatchResult refused = bench_.batch(opening, false);
    statuses.back() = WARPAES_ERROR_AUTHENTICATION;
    require(refused.statuses == statuses, "not refused");
    Bytes expected = call.input;
    std::fill(expected.end() - static_cast<ptrdiff_t>(call.stride), expected.end(), 0);
    require(refused.output == expected, "its output is not zeroed");
  }
};

}  // namespace

void check_gcm(const Subject& subject) { Aeads(subject).run_gcm(); }
void check_other_aeads(const Subject& subject) { Aeads(subject).run_others(); }

}  // namespace warpaes::core::self_test_parts
