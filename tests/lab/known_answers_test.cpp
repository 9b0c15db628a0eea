// Runs every lesson on the standards' own examples, which do not come from OpenSSL: FIPS 197 appendix C (the
// cipher with each key size) and SP 800-38A F.1 (ECB) and F.5 (CTR).
#include <gtest/gtest.h>

#include "failure.hpp"
#include "lab/catalogue.hpp"
#include "lab/lesson_run.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::lab {
namespace {

struct Example {
  const char* section;
  Mode mode;
  const char* key;
  const char* plaintext;
  const char* ciphertext;
};

constexpr const char* kFips197Plaintext = "00112233445566778899aabbccddeeff";
constexpr const char* kPlaintext =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
constexpr CounterBlock kCounter = {0xf0f1f2f3f4f5f6f7, 0xf8f9fafbfcfdfeff};

constexpr Example kExamples[] = {
    {"FIPS 197 C.1", Mode::ecb, "000102030405060708090a0b0c0d0e0f", kFips197Plaintext,
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"FIPS 197 C.2", Mode::ecb, "000102030405060708090a0b0c0d0e0f1011121314151617", kFips197Plaintext,
     "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"FIPS 197 C.3", Mode::ecb, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     kFips197Plaintext, "8ea2b7ca516745bfeafc49904b496089"},
    {"SP 800-38A F.1.1", Mode::ecb, "2b7e151628aed2a6abf7158809cf4f3c", kPlaintext,
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
    {"SP 800-38A F.1.3", Mode::ecb, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", kPlaintext,
     "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e"},
    {"SP 800-38A F.1.5", Mode::ecb, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     kPlaintext,
     "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"},
    {"SP 800-38A F.5.1", Mode::ctr, "2b7e151628aed2a6abf7158809cf4f3c", kPlaintext,
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"SP 800-38A F.5.3", Mode::ctr, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", kPlaintext,
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"},
    {"SP 800-38A F.5.5", Mode::ctr, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     kPlaintext,
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
};

bool has(const Lesson& lesson, const Variant& variant) {
  try {
    require_variant(lesson, variant);
    return true;
  } catch (const Failure&) {
    return false;
  }
}

void expect_answer(const Lesson& lesson, const Example& example, Direction direction) {
  const auto key = bytes_of_hex(example.key);
  const Variant variant = {example.mode, direction, static_cast<int>(8 * key.size()), lesson.shape};
  if (!has(lesson, variant)) return;
  auto input = bytes_of_hex(example.plaintext), output = bytes_of_hex(example.ciphertext);
  if (direction == WARPAES_DIRECTION_DECRYPT) std::swap(input, output);
  std::vector<uint8_t> answer(output.size());
  const KeySchedule schedule(key);
  const Task task = {variant, schedule, kCounter, input.data(), answer.data(), input.size()};
  lesson.machine == Machine::cpu ? lesson.run_on_cpu(task) : lesson.emulate(task);
  EXPECT_TRUE(answer == output) << lesson.name << ", " << example.section;
}

TEST(KnownAnswers, OfTheStandards) {
  for (const Lesson* const lesson : catalogue()) {
    for (const Example& example : kExamples) {
      expect_answer(*lesson, example, WARPAES_DIRECTION_ENCRYPT);
      expect_answer(*lesson, example, WARPAES_DIRECTION_DECRYPT);
    }
  }
}

}  // namespace
}  // namespace warpaes::core::lab
