// Every engine that runs here, both key sizes, sizes around the chunks' borders, any number of chunks a call.
#include <gtest/gtest.h>

#include "container/file_key.hpp"
#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

using namespace cobblestone;

constexpr size_t kSizes[] = {0, 1, 15, 16383, 16384, 16385, 32768, 100000};
constexpr size_t kLargeSize = (64u << 20) + 7;

class RoundTrip : public testing::TestWithParam<std::string> {
 protected:
  warpaes::Context context_{{.engine = GetParam()}};
};

TEST_P(RoundTrip, AllSizesByAnyNumberOfChunks) {
  for (const size_t key_bytes : {16, 32}) {
    const Bytes key = pattern_bytes(key_bytes);
    for (const size_t size : kSizes) {
      const Bytes plaintext = pattern_bytes(size);
      for (const uint64_t chunks_a_call : {1, 2, 100}) {
        const Bytes container = seal_with(context_, key, plaintext, chunks_a_call);
        EXPECT_EQ(container.size(), container_bytes(size));
        const Outcome outcome = open_with(context_, key, container, 3);
        EXPECT_EQ(outcome.status, WARPAES_OK) << outcome.message;
        EXPECT_EQ(outcome.plaintext, plaintext) << size;
      }
    }
  }
}

TEST_P(RoundTrip, EachContainerHasASaltOfItsOwn) {
  const Bytes key = pattern_bytes(32), plaintext = pattern_bytes(100);
  const Bytes one = seal_with(context_, key, plaintext), other = seal_with(context_, key, plaintext);
  for (const size_t part : {size_t{0}, kSaltBytes, kHeaderBytes}) {
    EXPECT_FALSE(std::equal(one.begin() + static_cast<ptrdiff_t>(part),
                            one.begin() + static_cast<ptrdiff_t>(part + 16),
                            other.begin() + static_cast<ptrdiff_t>(part)));
  }
}

TEST_P(RoundTrip, ManyBatches) {
  // The byte-wise reference needs minutes for this size.
  if (GetParam() == "portable/fips197") GTEST_SKIP() << "too slow for 64 MiB";
  const Bytes key = pattern_bytes(32), plaintext = pattern_bytes(kLargeSize);
  const Outcome outcome = open_with(context_, key, seal_with(context_, key, plaintext), 1000);
  EXPECT_EQ(outcome.status, WARPAES_OK) << outcome.message;
  EXPECT_TRUE(outcome.plaintext == plaintext);
}

TEST_P(RoundTrip, KeysOfOtherLengthsAreRefused) {
  for (const size_t key_bytes : {0, 15, 17, 24, 31, 33}) {
    try {
      seal_with(context_, pattern_bytes(key_bytes), {});
      ADD_FAILURE() << key_bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), WARPAES_ERROR_KEY_LENGTH);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, RoundTrip, testing::ValuesIn(usable_engines()), engine_test_name);

TEST(FileKey, NoncesAreTheBaseXorTheBigEndianChunkNumber) {
  core::Context context({.engine = "openssl"});
  const Bytes key = pattern_bytes(32);
  const FileKey file_key(context, {.key = key}, Salt{});
  std::array<uint8_t, kNonceBytes> base, last;
  file_key.nonces(0, base);
  file_key.nonces(kMaxChunks - 1, last);
  const std::array<uint8_t, kNonceBytes> difference = {0, 0, 0, 0, 0, 0, 0, 0x3f, 0xff, 0xff, 0xff, 0xff};
  for (size_t i = 0; i < kNonceBytes; i++) EXPECT_EQ(base[i] ^ last[i], difference[i]) << i;

  Bytes run(3 * kNonceBytes);
  file_key.nonces(255, run);
  EXPECT_EQ(run[11] ^ base[11], 0xff);
  EXPECT_EQ(run[12 + 11] ^ base[11], 0x00);
  EXPECT_EQ(run[12 + 10] ^ base[10], 0x01);
  EXPECT_EQ(run[24 + 11] ^ base[11], 0x01);
}

}  // namespace
}  // namespace warpaes::core::test
