#include "engines/known_answers.hpp"
#include "engines/self_test_parts.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

namespace known = known_answers;
using known::pattern;

auto hashed_as(std::string_view answer) {
  return [answer](const Bytes& output) { return sha256(output) == answer; };
}

class Ciphers : Part {
 public:
  explicit Ciphers(const Subject& subject) : Part(subject) {}

  void run() {
    for (const auto& answer : known::kBlocks) check_blocks(answer);
    if (engine_.counter != nullptr) {
      for (const auto& answer : known::kCounters) check_counter(answer);
    }
    if (engine_.memory == Memory::host) {
      for (size_t i = 0; i < known::kChains.size(); i++)
        check_chains(known::kCounters[i].key, known::kChains[i]);
    }
    if (is_brief()) return check_brief();
    for (const auto& answer : known::kLongs) check_long(answer);
    for (const auto& answer : known::kParallel) check_parallel(answer);
    if (engine_.memory == Memory::host || engine_.counter == nullptr) return;
    for (const auto& answer : known::kShifted) check_shifted(answer);
  }

 private:
  void check_blocks(const known::Block& answer) {
    const Bytes key = bytes_of_hex(answer.key);
    check_both_ways(key, bytes_of_hex(answer.plaintext), "",
                    [&](const Bytes& ciphertext) { return ciphertext == bytes_of_hex(answer.ciphertext); });
  }

  template <typename IsRight>
  void check_both_ways(const Bytes& key, const Bytes& plaintext, const std::string& variant,
                       IsRight is_right) {
    bench_.set_key(key);
    begin("ecb", 8 * key.size(), variant + "encrypt");
    const Bytes ciphertext = bench_.blocks(WARPAES_DIRECTION_ENCRYPT, plaintext, false);
    require(is_right(ciphertext), "output differs");
    for (const bool in_place : {false, true}) {
      begin("ecb", 8 * key.size(), variant + (in_place ? "decrypt in place" : "decrypt"));
      require(bench_.blocks(WARPAES_DIRECTION_DECRYPT, ciphertext, in_place) == plaintext, "output differs");
    }
  }

  void check_counter(const known::Counter& answer) {
    const Bytes key = bytes_of_hex(answer.key);
    bench_.set_key(key);
    begin("ctr", 8 * key.size(), "crypt");
    const Bytes output =
        bench_.counter(bytes_of_hex(known::kCounter), bytes_of_hex(known::kCounterPlaintext), false);
    require(output == bytes_of_hex(answer.ciphertext), "output differs");
  }

  /// This is for engines of the CPU: those of GPUs have such functions for decryption only, and other kernels
  /// for long data, which check_parallel() is for.
  void check_chains(std::string_view hex_key, const known::Chained& answer) {
    const Bytes key = bytes_of_hex(hex_key), plaintext = bytes_of_hex(known::kCounterPlaintext);
    const Bytes iv = bytes_of_hex(known::kChainsIv), cbc = bytes_of_hex(answer.cbc),
                cfb = bytes_of_hex(answer.cfb);
    bench_.set_key(key);
    const auto check = [&](const char* mode, Engine::Chain crypt, const Bytes& expected) {
      if (crypt == nullptr) return;
      begin(mode, 8 * key.size(), "encrypt");
      require(bench_.chain(crypt, iv, plaintext) == expected, "output differs");
    };
    check("cbc", engine_.cbc_encrypt, cbc);
    check("cfb", engine_.cfb_encrypt, cfb);
    check("ofb", engine_.ofb, bytes_of_hex(answer.ofb));
    const auto is_plaintext = [&](const Bytes& output) { return output == plaintext; };
    check_unchained("cbc", engine_.cbc_decrypt, 8 * key.size(), iv, cbc, is_plaintext);
    check_unchained("cfb", engine_.cfb_decrypt, 8 * key.size(), iv, cfb, is_plaintext);
  }

  void check_brief() {
    const Bytes key = pattern(32, 1), text = pattern(known::kPartsBytes, 2);
    const Bytes whole_blocks(text.begin(), text.end() - known::kPartsBytes % 16);
    check_both_ways(key, whole_blocks, "brief ", hashed_as(known::kBrief.ecb));
    if (engine_.counter != nullptr) {
      begin("ctr", 256, "brief crypt");
      require(sha256(bench_.counter(bytes_of_hex(known::kBriefCounter), text, false)) == known::kBrief.ctr,
              "output differs");
    }
    check_unchained("cbc", engine_.cbc_decrypt, 256, pattern(16, 5), whole_blocks,
                    hashed_as(known::kBrief.cbc));
    if (engine_.xts == nullptr) return;
    bench_.set_other_key(pattern(32, 6));
    check_xts(256, known::kPartsBytes, text, known::kBrief.xts);
  }

  void check_long(const known::Long& answer) {
    const Bytes key = pattern(answer.key_bits / 8, 1), plaintext = pattern(known::kLongBytes, 2);
    Bytes whole_blocks = plaintext;
    whole_blocks.resize(plaintext.size() / 16 * 16);
    check_both_ways(key, whole_blocks, "long ", hashed_as(answer.ecb));
    if (engine_.counter != nullptr) {
      const Bytes counter = bytes_of_hex(known::kLongCounter);
      begin("ctr", answer.key_bits, "long crypt");
      const Bytes ciphertext = bench_.counter(counter, plaintext, false);
      require(sha256(ciphertext) == answer.ctr, "output differs");
      begin("ctr", answer.key_bits, "long crypt in place");
      require(bench_.counter(counter, ciphertext, true) == plaintext, "output differs");
    }
  }

  /// Where the bench places it, neither input nor output is aligned.
  void check_shifted(const known::Shifted& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    begin("ctr", answer.key_bits, "misaligned crypt");
    const Bytes output =
        bench_.counter(bytes_of_hex(known::kLongCounter), pattern(known::kShiftedCounterBytes, 2), false);
    require(sha256(output) == answer.ctr, "output differs");
  }

  void check_parallel(const known::Parallel& answer) {
    const Bytes data = pattern(known::kLongBytes, 2), shorter(data.begin(), data.end() - 1);
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    check_unchained("cbc", engine_.cbc_decrypt, answer.key_bits, pattern(16, 5), shorter,
                    hashed_as(answer.cbc));
    check_unchained("cfb", engine_.cfb_decrypt, answer.key_bits, pattern(16, 5), data, hashed_as(answer.cfb));
    if (engine_.xts == nullptr || (answer.key_bits == 192 && !engine_.xts_has_192_bits)) return;
    bench_.set_other_key(pattern(answer.key_bits / 8, 6));
    check_xts(answer.key_bits, known::kParallelUnitBytes, shorter, answer.xts);
    check_xts(answer.key_bits, known::kParallelRaggedUnitBytes, data, answer.xts_ragged);
  }

  /// @param decrypt null: the engine has none
  void check_unchained(const char* mode, Engine::Unchain decrypt, size_t key_bits, const Bytes& iv,
                       const Bytes& input, const auto& is_right) {
    if (decrypt == nullptr) return;
    for (const bool in_place : {false, true}) {
      begin(mode, key_bits, in_place ? "decrypt in place" : "decrypt");
      require(is_right(bench_.unchain(decrypt, iv, input, in_place)), "output differs");
    }
  }

  void check_xts(int key_bits, uint64_t unit_bytes, const Bytes& input, std::string_view answer) {
    const Bytes tweak = bytes_of_hex(known::kParallelTweak);
    const std::string units = " data units of " + std::to_string(unit_bytes) + " bytes";
    for (const bool in_place : {false, true}) {
      const std::string where = units + (in_place ? " in place" : "");
      begin("xts", key_bits, "encrypt" + where);
      const Bytes sealed = bench_.xts(WARPAES_DIRECTION_ENCRYPT, tweak, unit_bytes, input, in_place);
      require(sha256(sealed) == answer, "output differs");
      begin("xts", key_bits, "decrypt" + where);
      require(bench_.xts(WARPAES_DIRECTION_DECRYPT, tweak, unit_bytes, sealed, in_place) == input,
              "output differs");
    }
  }
};

}  // namespace

void check_ciphers(const Subject& subject) { Ciphers(subject).run(); }

}  // namespace warpaes::core::self_test_parts
