// The inverse cipher of warpaes/device.cuh in a kernel of somebody's own, on a GPU: against FIPS 197 in every
// lane, and against what OpenSSL encrypts.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "deciphering_kernel.hpp"
#include "evp_reference.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::testing {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kKeyBytes[] = {16, 24, 32};

/// By the number of tables. Each architecture has room for two.
class DeviceHeaderOnGpu : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (devices().empty()) GTEST_SKIP() << "no GPU";
    if (GetParam() > 2 && !has_room_for(GetParam())) GTEST_SKIP() << "no room for that many tables";
  }

  Bytes random_bytes(size_t bytes) {
    Bytes made(bytes);
    std::ranges::generate(made, [this] { return static_cast<uint8_t>(generator_()); });
    return made;
  }

 private:
  std::mt19937 generator_{20261128};
};

/// FIPS 197 (2001) appendix C: 00 11 22 … ff under the key 00 01 02 …
TEST_P(DeviceHeaderOnGpu, TheInverseCipherIsTheStandardsInEveryLane) {
  constexpr size_t kBlocks = 5000;  // more than there are threads
  const Bytes sealed_by_size[] = {
      {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
      {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
      {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};
  for (size_t size = 0; size < std::size(kKeyBytes); size++) {
    SCOPED_TRACE(kKeyBytes[size]);
    Bytes key(kKeyBytes[size]), sealed, expected;
    std::iota(key.begin(), key.end(), uint8_t{0});
    for (size_t i = 0; i < kBlocks; i++) {
      sealed.insert(sealed.end(), sealed_by_size[size].begin(), sealed_by_size[size].end());
      for (int byte = 0; byte < 16; byte++) expected.push_back(static_cast<uint8_t>(0x11 * byte));
    }
    EXPECT_TRUE(deciphered(GetParam(), key, sealed, false) == expected);
  }
}

TEST_P(DeviceHeaderOnGpu, DeciphersWhatOpensslHasEncrypted) {
  for (const size_t key_bytes : kKeyBytes) {
    for (const size_t blocks : {size_t{1}, size_t{31}, size_t{33}, size_t{20'003}}) {
      SCOPED_TRACE(::testing::Message() << key_bytes << " bytes of key, " << blocks << " blocks");
      const Bytes key = random_bytes(key_bytes), vector = random_bytes(16), text = random_bytes(16 * blocks);
      const Bytes ecb = core::reference::ecb(key, true, text);
      Bytes cbc = core::reference::crypt("CBC", key, vector, text);
      cbc.insert(cbc.begin(), vector.begin(), vector.end());
      EXPECT_TRUE(deciphered(GetParam(), key, ecb, false) == text);
      EXPECT_TRUE(deciphered(GetParam(), key, cbc, true) == text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, DeviceHeaderOnGpu, ::testing::Values(1, 2, 4));

}  // namespace
}  // namespace warpaes::testing
