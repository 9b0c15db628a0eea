// The cases of composed modes must find a fault in the functions of which a mode is composed, and none in a
// right engine.
#include "composed_cases.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engines/openssl/openssl_engine.hpp"

namespace warpaes::core::conformance {
namespace {

/// A run of many blocks is wrong in its last one: modes that go block by block never meet it.
void wrong_in_the_last_of_many(const EngineKey& key, const BlockRun& run, Stream stream) {
  openssl_evp.encrypt_blocks(key, run, stream);
  if (run.bytes > 16 * 8) run.output[run.bytes - 16] ^= 0x80;
}

void decrypts_nothing(const EngineKey&, const BlockRun& run, Stream) {
  std::copy_n(run.input, run.bytes, run.output);
}

void forgets_the_iv(const EngineKey& key, const ChainRun& run, void* workspace, Stream stream) {
  const uint8_t zeros[16] = {};
  openssl_evp.cbc_decrypt(key, {zeros, run.input, run.output, run.bytes}, workspace, stream);
}

/// How many generated cases of each mode are wrong.
std::map<std::string, int> wrong_cases(const Engine& engine) {
  std::map<std::string, int> wrong;
  visit_composed_generated(
      [&](const ComposedCase& test) { wrong[test.mode] += test.run(engine, 0).empty() ? 0 : 1; });
  return wrong;
}

TEST(ComposedCases, FindNothingInARightEngine) {
  for (const auto& [mode, wrong] : wrong_cases(openssl_evp)) EXPECT_EQ(wrong, 0) << mode;
}

TEST(ComposedCases, FindFaultsOfTheBlocks) {
  Engine engine = openssl_evp;
  engine.encrypt_blocks = wrong_in_the_last_of_many;
  std::map<std::string, int> wrong = wrong_cases(engine);
  EXPECT_GT(wrong["cfb8"], 100);
  EXPECT_GT(wrong["cfb1"], 100);
  EXPECT_EQ(wrong["kw"], 0) << "goes block by block";

  engine = openssl_evp;
  engine.decrypt_blocks = decrypts_nothing;
  wrong = wrong_cases(engine);
  EXPECT_GT(wrong["kw"], 10);
  EXPECT_GT(wrong["kwp"], 100);
  EXPECT_EQ(wrong["cfb8"], 0) << "never decrypts a block";
}

TEST(ComposedCases, FindFaultsOfCbc) {
  Engine engine = openssl_evp;
  engine.cbc_decrypt = forgets_the_iv;
  std::map<std::string, int> wrong = wrong_cases(engine);
  for (const char* mode : {"cbc-cs1", "cbc-cs2", "cbc-cs3", "cbc-pkcs7"}) EXPECT_GT(wrong[mode], 10) << mode;
}

/// What is behind an answer, and in place, is looked at as well.
TEST(ComposedCases, NameWhatIsWrong) {
  ComposedCase test = cts_case(3, WARPAES_DIRECTION_ENCRYPT, Bytes(16, 1), Bytes(16, 0), Bytes(20, 2));
  EXPECT_EQ(test.run(openssl_evp, 0), "the answer has 20 bytes");
  test.expected = Bytes(20, 0);
  EXPECT_EQ(test.run(openssl_evp, 0), "the output differs at byte 0");
  test.status = WARPAES_ERROR_AUTHENTICATION;
  EXPECT_EQ(test.run(openssl_evp, 0), "it is accepted");
  const ComposedCase unwrapping = wrap_case(false, WARPAES_DIRECTION_DECRYPT, Bytes(16, 1), Bytes(24, 2));
  EXPECT_NE(unwrapping.run(openssl_evp, 0), "");
}

}  // namespace
}  // namespace warpaes::core::conformance
