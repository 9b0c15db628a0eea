// The examples of SP 800-38A, appendices F.1 (ECB) and F.5 (CTR).
#include "primitives/hex.hpp"
#include "vector_cases.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr const char* kPlaintext =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
constexpr const char* kCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

struct Example {
  const char* section;
  Mode mode;
  const char* key;
  const char* ciphertext;
};

constexpr Example kExamples[] = {
    {"F.1.1", Mode::ecb, "2b7e151628aed2a6abf7158809cf4f3c",
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
    {"F.1.3", Mode::ecb, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e"},
    {"F.1.5", Mode::ecb, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"},
    {"F.5.1", Mode::ctr, "2b7e151628aed2a6abf7158809cf4f3c",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"F.5.3", Mode::ctr, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"},
    {"F.5.5", Mode::ctr, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
};

}  // namespace

std::vector<Case> sp800_38a_cases() {
  std::vector<Case> cases;
  for (const Example& example : kExamples) {
    Case test;
    test.name = std::string("SP 800-38A ") + example.section;
    test.mode = example.mode;
    test.key = bytes_of_hex(example.key);
    test.nonces = bytes_of_hex(kCounter);
    test.input = bytes_of_hex(kPlaintext);
    test.output = bytes_of_hex(example.ciphertext);
    test.bytes = test.input.size();
    cases.push_back(test);
    test.name += ", decrypt";
    test.direction = WARPAES_DIRECTION_DECRYPT;
    std::swap(test.input, test.output);
    cases.push_back(test);
  }
  return cases;
}

}  // namespace warpaes::core::conformance
