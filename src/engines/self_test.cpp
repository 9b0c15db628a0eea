#include "engines/self_test.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <new>
#include <utility>

#include "engines/known_answers.hpp"
#include "engines/self_test_bench.hpp"
#include "failure.hpp"
#include "primitives/hex.hpp"

namespace warpaes {
namespace {

using known_answers::pattern;

std::string sha256(const Bytes& data) {
  Bytes digest(32);
  size_t length = digest.size();
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, data.data(), data.size(), digest.data(), &length) <= 0) {
    return "OpenSSL has no SHA-256";
  }
  return hex_of_bytes(digest);
}

Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

struct WrongAnswer {
  std::string what;
};

void require(bool right, const char* what) {
  if (!right) throw WrongAnswer{what};
}

/// All checks, each after saying what it is about, so that whatever goes wrong can be named.
class SelfTest {
 public:
  /// @param current,checks where it has come to; valid whatever is thrown
  SelfTest(const Engine& engine, int device, std::string& current, int& checks)
      : engine_(engine), bench_(engine, device), current_(current), checks_(checks) {}

  void run() {
    for (const auto& answer : known_answers::kBlocks) check_blocks(answer);
    if (engine_.counter != nullptr) {
      for (const auto& answer : known_answers::kCounters) check_counter(answer);
    }
    if (engine_.gcm != nullptr) {
      for (const auto& answer : known_answers::kGcms) check_gcm(answer);
    }
    for (const auto& answer : known_answers::kLongs) check_long(answer);
    for (const auto& answer : known_answers::kParallel) check_parallel(answer);
    for (const auto& answer : known_answers::kSealed) check_sealed(answer);
    if (engine_.cipher_batch != nullptr) {
      for (const auto& answer : known_answers::kLanes) check_cipher_batch(answer);
    }
  }

 private:
  void begin(const char* mode, size_t key_bits, const std::string& operation) {
    current_ = std::string(mode) + "-" + std::to_string(key_bits) + " " + operation;
    checks_++;
  }

  void check_blocks(const known_answers::Block& answer) {
    const Bytes key = bytes_of_hex(answer.key);
    check_both_ways(key, bytes_of_hex(answer.plaintext), "",
                    [&](const Bytes& ciphertext) { return ciphertext == bytes_of_hex(answer.ciphertext); });
  }

  template <typename IsRight>
  void check_both_ways(const Bytes& key, const Bytes& plaintext, const std::string& variant,
                       IsRight is_right) {
    bench_.set_key(key);
    begin("ecb", 8 * key.size(), variant + "encrypt");
    const Bytes ciphertext = bench_.blocks(WARPAES_ENCRYPT, plaintext, false);
    require(is_right(ciphertext), "output differs");
    for (const bool in_place : {false, true}) {
      begin("ecb", 8 * key.size(), variant + (in_place ? "decrypt in place" : "decrypt"));
      require(bench_.blocks(WARPAES_DECRYPT, ciphertext, in_place) == plaintext, "output differs");
    }
  }

  void check_counter(const known_answers::Counter& answer) {
    const Bytes key = bytes_of_hex(answer.key);
    bench_.set_key(key);
    begin("ctr", 8 * key.size(), "crypt");
    const Bytes output = bench_.counter(bytes_of_hex(known_answers::kCounter),
                                        bytes_of_hex(known_answers::kCounterPlaintext), false);
    require(output == bytes_of_hex(answer.ciphertext), "output differs");
  }

  void check_gcm(const known_answers::Gcm& answer) {
    Bytes key = bytes_of_hex(known_answers::kGcmKey);
    key.resize(answer.key_bits / 8);
    bench_.set_key(key);
    const AeadCall call{WARPAES_AEAD_GCM,
                        fused_gcm(),
                        WARPAES_ENCRYPT,
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

  void check_long(const known_answers::Long& answer) {
    const Bytes key = pattern(answer.key_bits / 8, 1), plaintext = pattern(known_answers::kLongBytes, 2);
    Bytes whole_blocks = plaintext;
    whole_blocks.resize(plaintext.size() / 16 * 16);
    check_both_ways(key, whole_blocks, "long ",
                    [&](const Bytes& ciphertext) { return sha256(ciphertext) == answer.ecb; });
    if (engine_.counter != nullptr) {
      const Bytes counter = bytes_of_hex(known_answers::kLongCounter);
      begin("ctr", answer.key_bits, "long crypt");
      const Bytes ciphertext = bench_.counter(counter, plaintext, false);
      require(sha256(ciphertext) == answer.ctr, "output differs");
      begin("ctr", answer.key_bits, "long crypt in place");
      require(bench_.counter(counter, ciphertext, true) == plaintext, "output differs");
    }
    if (engine_.gcm != nullptr) {
      check_long_message("gcm", WARPAES_AEAD_GCM, fused_gcm(), answer.key_bits, answer.gcm);
      check_batch("gcm", WARPAES_AEAD_GCM, fused_gcm(), answer.key_bits, answer.gcm_batch);
    }
  }

  Engine::FusedAead fused_gcm() const {
    return {
        .run = engine_.gcm, .workspace_bytes = engine_.gcm_workspace_bytes, .key_each = engine_.gcm_key_each};
  }

  void check_sealed(const known_answers::Sealed& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    if (engine_.gcm_siv.run != nullptr && !answer.gcm_siv.empty()) {
      check_long_message("gcm-siv", WARPAES_AEAD_GCM_SIV, engine_.gcm_siv, answer.key_bits, answer.gcm_siv);
    }
    if (engine_.ocb3.run != nullptr) {
      check_long_message("ocb3", WARPAES_AEAD_OCB3, engine_.ocb3, answer.key_bits, answer.ocb3);
    }
    constexpr const char* kNames[] = {"gcm-siv", "ccm", "eax", "ocb3", "siv"};
    constexpr Aead kModes[] = {WARPAES_AEAD_GCM_SIV, WARPAES_AEAD_CCM, WARPAES_AEAD_EAX, WARPAES_AEAD_OCB3,
                               WARPAES_AEAD_SIV};
    const Engine::FusedAead forms[] = {engine_.gcm_siv, engine_.ccm, engine_.eax, engine_.ocb3, engine_.siv};
    bench_.set_other_key(pattern(answer.key_bits / 8, 6));
    for (size_t mode = 0; mode < std::size(forms); mode++) {
      if (forms[mode].run == nullptr || answer.batches[mode].empty()) continue;
      check_batch(kNames[mode], kModes[mode], forms[mode], answer.key_bits, answer.batches[mode]);
    }
  }

  void check_long_message(const char* name, Aead mode, Engine::FusedAead fused, int key_bits,
                          std::string_view answer) {
    const AeadCall call{mode,
                        fused,
                        WARPAES_ENCRYPT,
                        1,
                        pattern(12, 3),
                        pattern(known_answers::kLongAadBytes, 4),
                        pattern(known_answers::kLongBytes, 2),
                        {}};
    check_sealed_and_opened(name, key_bits, "long ", call, [&](const AeadResult& result) {
      require(sha256(result.output + result.tags) == answer, "ciphertext or tag differs");
    });
  }

  void check_batch(const char* name, Aead mode, Engine::FusedAead fused, int key_bits,
                   std::string_view answer) {
    namespace known = known_answers;
    AeadCall call{mode, fused, WARPAES_ENCRYPT, known::kBatchMessages, {}, pattern(known::kBatchAadBytes, 4),
                  {},   {}};
    for (unsigned m = 0; m < known::kBatchMessages; m++) {
      call.nonces = std::move(call.nonces) + pattern(12, 16 + m);
      call.input = std::move(call.input) + pattern(known::kBatchBytes, 32 + m);
    }
    const auto require_right = [&](const AeadResult& result) {
      Bytes interleaved;
      for (size_t m = 0; m < known::kBatchMessages; m++) {
        const auto message = result.output.begin() + static_cast<ptrdiff_t>(m * known::kBatchBytes);
        const auto tag = result.tags.begin() + static_cast<ptrdiff_t>(16 * m);
        interleaved.insert(interleaved.end(), message, message + known::kBatchBytes);
        interleaved.insert(interleaved.end(), tag, tag + 16);
      }
      require(sha256(interleaved) == answer, "ciphertext or tag differs");
    };
    check_sealed_and_opened(name, key_bits, "batch ", call, require_right);
    if (fused.key_each == nullptr) return;
    for (unsigned m = 0; m < known::kBatchMessages; m++) {
      if (mode == WARPAES_AEAD_SIV) call.keys = std::move(call.keys) + pattern(key_bits / 8, 6);
      call.keys = std::move(call.keys) + pattern(key_bits / 8, 1);
    }
    begin(name, key_bits, "batch with a key each");
    const AeadResult sealed = bench_.aead(call, false);
    require_right(sealed);
    begin(name, key_bits, "batch with a key each, decrypt");
    call.direction = WARPAES_DECRYPT;
    call.tags = sealed.tags;
    const Bytes plaintext = std::exchange(call.input, sealed.output);
    require(bench_.aead(call, true).output == plaintext, "output differs");
  }

  void check_parallel(const known_answers::Parallel& answer) {
    namespace known = known_answers;
    const Bytes data = pattern(known::kLongBytes, 2), shorter(data.begin(), data.end() - 1);
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    if (engine_.cbc_decrypt != nullptr)
      check_unchained("cbc", engine_.cbc_decrypt, answer.key_bits, shorter, answer.cbc);
    if (engine_.cfb_decrypt != nullptr)
      check_unchained("cfb", engine_.cfb_decrypt, answer.key_bits, data, answer.cfb);
    if (engine_.xts == nullptr || (answer.key_bits == 192 && !engine_.xts_has_192_bits)) return;
    bench_.set_other_key(pattern(answer.key_bits / 8, 6));
    check_xts(answer.key_bits, known::kParallelUnitBytes, shorter, answer.xts);
    check_xts(answer.key_bits, known::kParallelRaggedUnitBytes, data, answer.xts_ragged);
  }

  void check_unchained(const char* mode, Engine::Unchain decrypt, int key_bits, const Bytes& input,
                       std::string_view answer) {
    for (const bool in_place : {false, true}) {
      begin(mode, key_bits, in_place ? "decrypt in place" : "decrypt");
      require(sha256(bench_.unchain(decrypt, pattern(16, 5), input, in_place)) == answer, "output differs");
    }
  }

  void check_xts(int key_bits, uint64_t unit_bytes, const Bytes& input, std::string_view answer) {
    const Bytes tweak = bytes_of_hex(known_answers::kParallelTweak);
    const std::string units = " data units of " + std::to_string(unit_bytes) + " bytes";
    for (const bool in_place : {false, true}) {
      const std::string where = units + (in_place ? " in place" : "");
      begin("xts", key_bits, "encrypt" + where);
      const Bytes sealed = bench_.xts(WARPAES_ENCRYPT, key_bits, tweak, unit_bytes, input, in_place);
      require(sha256(sealed) == answer, "output differs");
      begin("xts", key_bits, "decrypt" + where);
      require(bench_.xts(WARPAES_DECRYPT, key_bits, tweak, unit_bytes, sealed, in_place) == input,
              "output differs");
    }
  }

  void check_cipher_batch(const known_answers::Lanes& answer) {
    namespace known = known_answers;
    constexpr const char* kNames[] = {"ecb encrypt", "ecb decrypt", "cbc encrypt",
                                      "cbc decrypt", "cfb encrypt", "cfb decrypt",
                                      "ofb",         "ctr",         "cmac"};
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    for (size_t mode = 0; mode < answer.answers.size(); mode++) {
      CipherCall call{static_cast<CipherMode>(mode), known::kLaneMessages, known::kLaneStride, {}, {}, {}};
      for (unsigned m = 0; m < known::kLaneMessages; m++) {
        call.ivs = std::move(call.ivs) + pattern(16, 16 + m);
        call.input = std::move(call.input) + pattern(known::kLaneStride, 32 + m);
        call.lengths.push_back(known::lane_bytes(needs_whole_blocks(call.mode), m));
      }
      for (const bool in_place : {false, true}) {
        begin(kNames[mode], answer.key_bits, in_place ? "batch in place" : "batch");
        require(sha256(bench_.cipher_batch(call, in_place)) == answer.answers[mode], "output differs");
      }
      if (engine_.cipher_key_each == nullptr || inverts_cipher(call.mode)) continue;
      for (size_t m = 0; m < known::kLaneMessages; m++) {
        call.keys = std::move(call.keys) + pattern(answer.key_bits / 8, 1);
      }
      begin(kNames[mode], answer.key_bits, "batch with a key each");
      require(sha256(bench_.cipher_batch(call, false)) == answer.answers[mode], "output differs");
    }
  }

  /// Encrypts, decrypts in place, and then decrypts with one bit of the last message's tag turned over.
  template <typename RequireRight>
  void check_sealed_and_opened(const char* mode, size_t key_bits, const std::string& variant,
                               const AeadCall& call, RequireRight require_right) {
    begin(mode, key_bits, variant + "encrypt");
    const AeadResult sealed = bench_.aead(call, false);
    require_right(sealed);

    begin(mode, key_bits, variant + "decrypt");
    AeadCall opening = call;
    opening.direction = WARPAES_DECRYPT;
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

  const Engine& engine_;
  SelfTestBench bench_;
  std::string& current_;
  int& checks_;
};

}  // namespace

SelfTestReport self_test(const Engine& engine, int device) {
  SelfTestReport report;
  std::string current = "set-up";
  try {
    SelfTest(engine, device, current, report.checks).run();
  } catch (const WrongAnswer& wrong) {
    report.failure = current + ": " + wrong.what;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Failure& failure) {
    if (failure.is_passing()) throw;
    report.failure = current + ": " + failure.what();
  } catch (const std::exception& error) {
    report.failure = current + ": " + error.what();
  }
  return report;
}

}  // namespace warpaes
