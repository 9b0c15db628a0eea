#include "engines/known_answers.hpp"
#include "engines/self_test_parts.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::self_test_parts {
namespace {

using known_answers::pattern;

class Ciphers : Part {
 public:
  explicit Ciphers(const Subject& subject) : Part(subject) {}

  void run() {
    for (const auto& answer : known_answers::kBlocks) check_blocks(answer);
    if (engine_.counter != nullptr) {
      for (const auto& answer : known_answers::kCounters) check_counter(answer);
    }
    for (const auto& answer : known_answers::kLongs) check_long(answer);
    for (const auto& answer : known_answers::kParallel) check_parallel(answer);
    if (engine_.memory == Memory::host || engine_.counter == nullptr) return;
    for (const auto& answer : known_answers::kShifted) check_shifted(answer);
  }

 private:
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
    const Bytes ciphertext = bench_.blocks(WARPAES_DIRECTION_ENCRYPT, plaintext, false);
    require(is_right(ciphertext), "output differs");
    for (const bool in_place : {false, true}) {
      begin("ecb", 8 * key.size(), variant + (in_place ? "decrypt in place" : "decrypt"));
      require(bench_.blocks(WARPAES_DIRECTION_DECRYPT, ciphertext, in_place) == plaintext, "output differs");
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
  }

  /// Where the bench places it, neither input nor output is aligned.
  void check_shifted(const known_answers::Shifted& answer) {
    bench_.set_key(pattern(answer.key_bits / 8, 1));
    begin("ctr", answer.key_bits, "misaligned crypt");
    const Bytes output = bench_.counter(bytes_of_hex(known_answers::kLongCounter),
                                        pattern(known_answers::kShiftedCounterBytes, 2), false);
    require(sha256(output) == answer.ctr, "output differs");
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
