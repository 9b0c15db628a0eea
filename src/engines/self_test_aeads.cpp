#include <algorithm>
#include <utility>

#include "engines/known_answers.hpp"
#include "engines/self_test_parts.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

using known_answers::pattern;

class Aeads : Part {
 public:
  explicit Aeads(const Subject& subject) : Part(subject) {}

  void run_gcm(SelfTestExtent extent) {
    if (!has(WARPAES_MODE_GCM)) return;
    for (const auto& answer : known_answers::kGcms) check_gcm(answer);
    // A GPU has other kernels for long messages and for many, and for each length of keys. A CPU's engine has
    // other functions for parts.
    if (engine_.memory == Memory::host && extent == SelfTestExtent::gcm) return check_parts_once();
    for (const auto& answer : known_answers::kLongs) check_long_gcm(answer);
    if (engine_.memory == Memory::host) return;
    for (const auto& answer : known_answers::kShifted) check_shifted_gcm(answer);
  }

  void run_others() {
    for (const auto& answer : known_answers::kSealed) check_sealed(answer);
  }

 private:
  static constexpr known_answers::BatchSize kBatch{known_answers::kBatchMessages, known_answers::kBatchBytes};

  void check_gcm(const known_answers::Gcm& answer) {
    Bytes key = bytes_of_hex(known_answers::kGcmKey);
    key.resize(answer.key_bits / 8);
    bench_.set_key(key);
    const AeadCall call{WARPAES_MODE_GCM,
                        WARPAES_DIRECTION_ENCRYPT,
                        1,
                        bytes_of_hex(answer.nonce),
                        bytes_of_hex(known_answers::kGcmAad),
                        bytes_of_hex(known_answers::kGcmPlaintext),
                        {}};
    check_sealed_and_opened("gcm", answer.key_bits, "", call, [&](const AeadResult& result) {
      require(result.output == bytes_of_hex(answer.ciphertext), "output differs");
      require(result.tags == bytes_of_hex(answer.tag), "tag differs");
    });
  }

  void check_long_gcm(const known_answers::Long& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    check_long_message("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm);
    check_batch("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm_batch);
    if (!has_parts()) return;
    check_gcm_in_parts(answer.key_bits, known_answers::kLongBytes, [&](const AeadResult& sealed) {
      return sha256(sealed.output + sealed.tags) == answer.gcm;
    });
  }

  void check_shifted_gcm(const known_answers::Shifted& answer) {
    namespace known = known_answers;
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    check_long_message("gcm", WARPAES_MODE_GCM, answer.key_bits, answer.gcm, known::kShiftedAadBytes);
    for (const auto& [size, right] :
         {std::pair(known::kShiftedFew, answer.few), std::pair(known::kShiftedMany, answer.many)}) {
      AeadCall call = batch_of(WARPAES_MODE_GCM, size);
      check_sealed_and_opened(
          "gcm", answer.key_bits, "misaligned batch ", call, [&](const AeadResult& result) {
            require(sha256(interleaved(result, size)) == right, "ciphertext or tag differs");
          });
    }
  }

  void check_parts_once() {
    if (!has_parts()) return;
    bench_.set_key(pattern(32, 1));
    check_gcm_in_parts(256, known_answers::kPartsBytes, [](const AeadResult& sealed) {
      return sealed.tags == bytes_of_hex(known_answers::kPartsTag);
    });
  }

  /// In both directions. Where the engine cannot decrypt in parts, modes compose them.
  template <typename IsRight>
  void check_gcm_in_parts(int key_bits, size_t bytes, IsRight is_right) {
    AeadCall call{WARPAES_MODE_GCM,
                  WARPAES_DIRECTION_ENCRYPT,
                  1,
                  pattern(12, 3),
                  pattern(known_answers::kLongAadBytes, 4),
                  pattern(bytes, 2),
                  {}};
    constexpr size_t kFirstBytes = 16 * 70;
    static_assert(kFirstBytes < known_answers::kPartsBytes);
    begin("gcm", key_bits, "encrypt in parts");
    const AeadResult sealed = bench_.gcm_in_parts(call, kFirstBytes);
    require(is_right(sealed), "ciphertext or tag differs");
    begin("gcm", key_bits, "decrypt in parts");
    call.direction = WARPAES_DIRECTION_DECRYPT;
    const Bytes plaintext = std::exchange(call.input, sealed.output);
    const AeadResult opened = bench_.gcm_in_parts(call, kFirstBytes);
    if (opened.output.empty()) return;
    require(opened.output == plaintext, "output differs");
    require(opened.tags == sealed.tags, "tag differs");
  }

  bool has_parts() const { return engine_.gcm_part != nullptr || engine_.gcm_part_tag != nullptr; }

  void check_sealed(const known_answers::Sealed& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    if (has(WARPAES_MODE_GCM_SIV) && !answer.gcm_siv.empty()) {
      check_long_message("gcm-siv", WARPAES_MODE_GCM_SIV, answer.key_bits, answer.gcm_siv);
    }
    if (has(WARPAES_MODE_OCB3)) check_long_message("ocb3", WARPAES_MODE_OCB3, answer.key_bits, answer.ocb3);
    constexpr std::pair<warpaes_mode, const char*> kModes[] = {{WARPAES_MODE_GCM_SIV, "gcm-siv"},
                                                               {WARPAES_MODE_CCM, "ccm"},
                                                               {WARPAES_MODE_EAX, "eax"},
                                                               {WARPAES_MODE_OCB3, "ocb3"},
                                                               {WARPAES_MODE_SIV, "siv"}};
    bench_.set_other_key(pattern(answer.key_bits / 8, 6));
    for (size_t i = 0; i < std::size(kModes); i++) {
      const auto [mode, name] = kModes[i];
      if (has(mode) && !answer.batches[i].empty())
        check_batch(name, mode, answer.key_bits, answer.batches[i]);
    }
    if (has(WARPAES_MODE_SIV)) check_strings(answer);
  }

  /// SIV with several strings of additional data.
  void check_strings(const known_answers::Sealed& answer) {
    namespace known = known_answers;
    AeadCall call = batch_of(WARPAES_MODE_SIV, kBatch);
    call.aad.clear();
    call.aad_strings = known::kBatchStrings;
    for (unsigned s = 0; s < known::kBatchMessages * known::kBatchStrings; s++) {
      call.aad = std::move(call.aad) + pattern(known::kBatchAadBytes, 64 + s);
    }
    check_sealed_and_opened("siv", answer.key_bits, "several strings ", call, [&](const AeadResult& result) {
      require(sha256(interleaved(result, kBatch)) == answer.siv_strings, "ciphertext or tag differs");
    });
  }

  void check_long_message(const char* name, warpaes_mode mode, int key_bits, std::string_view answer,
                          size_t aad_bytes = known_answers::kLongAadBytes) {
    const AeadCall call{mode,
                        WARPAES_DIRECTION_ENCRYPT,
                        1,
                        pattern(12, 3),
                        pattern(aad_bytes, 4),
                        pattern(known_answers::kLongBytes, 2),
                        {}};
    check_sealed_and_opened(name, key_bits, "long ", call, [&](const AeadResult& result) {
      require(sha256(result.output + result.tags) == answer, "ciphertext or tag differs");
    });
  }

  static AeadCall batch_of(warpaes_mode mode, known_answers::BatchSize size) {
    AeadCall call{
        mode, WARPAES_DIRECTION_ENCRYPT, size.messages, {}, pattern(known_answers::kBatchAadBytes, 4), {},
        {}};
    for (unsigned m = 0; m < size.messages; m++) {
      call.nonces = std::move(call.nonces) + pattern(12, 16 + m);
      call.input = std::move(call.input) + pattern(size.bytes, 32 + m);
    }
    return call;
  }

  /// Output 0, tag 0, output 1 and so on.
  static Bytes interleaved(const AeadResult& result, known_answers::BatchSize size) {
    Bytes both;
    for (size_t m = 0; m < size.messages; m++) {
      const auto message = result.output.begin() + static_cast<ptrdiff_t>(m * size.bytes);
      const auto tag = result.tags.begin() + static_cast<ptrdiff_t>(16 * m);
      both.insert(both.end(), message, message + static_cast<ptrdiff_t>(size.bytes));
      both.insert(both.end(), tag, tag + 16);
    }
    return both;
  }

  void check_batch(const char* name, warpaes_mode mode, int key_bits, std::string_view answer) {
    namespace known = known_answers;
    AeadCall call = batch_of(mode, kBatch);
    const auto require_right = [&](const AeadResult& result) {
      require(sha256(interleaved(result, kBatch)) == answer, "ciphertext or tag differs");
    };
    check_sealed_and_opened(name, key_bits, "batch ", call, require_right);
    if (engine_.modes[mode].run_key_each == nullptr) return;
    for (unsigned m = 0; m < known::kBatchMessages; m++) {
      if (mode == WARPAES_MODE_SIV) call.keys = std::move(call.keys) + pattern(key_bits / 8, 6);
      call.keys = std::move(call.keys) + pattern(key_bits / 8, 1);
    }
    check_sealed_and_opened(name, key_bits, "batch with a key each ", call, require_right);
  }

  /// Encrypts, decrypts in place, and then decrypts with one wrong bit in the last message's tag.
  template <typename RequireRight>
  void check_sealed_and_opened(const char* mode, size_t key_bits, const std::string& variant,
                               const AeadCall& call, RequireRight require_right) {
    begin(mode, key_bits, variant + "encrypt");
    const AeadResult sealed = bench_.aead(call, false);
    require_right(sealed);

    begin(mode, key_bits, variant + "decrypt");
    AeadCall opening = call;
    opening.direction = WARPAES_DIRECTION_DECRYPT;
    opening.input = sealed.output;
    opening.tags = sealed.tags;
    const AeadResult opened = bench_.aead(opening, true);
    std::vector<int32_t> statuses(call.messages, WARPAES_OK);
    require(opened.statuses == statuses, "a right tag is refused");
    require(opened.output == call.input, "output differs");

    begin(mode, key_bits, variant + "decrypt with a wrong tag");
    opening.tags.back() ^= 1;
    const AeadResult refused = bench_.aead(opening, false);
    statuses.back() = WARPAES_ERROR_AUTHENTICATION;
    require(refused.statuses == statuses, "not refused");
    Bytes expected = call.input;
    std::fill(expected.end() - static_cast<ptrdiff_t>(call.input.size() / call.messages), expected.end(), 0);
    require(refused.output == expected, "its output is not zeroed");
  }
};

}  // namespace

void check_gcm(const Subject& subject, SelfTestExtent extent) { Aeads(subject).run_gcm(extent); }
void check_other_aeads(const Subject& subject) { Aeads(subject).run_others(); }

}  // namespace warpaes::core::self_test_parts
