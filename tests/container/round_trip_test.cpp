// Every engine that runs here, both key sizes, sizes around the chunks' borders, files and pipes.
#include <gtest/gtest.h>

#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

using namespace cobblestone;

constexpr size_t kSizes[] = {0, 1, 15, 16383, 16384, 16385, 32768, 100000};
constexpr size_t kLargeSize = (64u << 20) + 7;

class RoundTrip : public testing::TestWithParam<std::string> {
 protected:
  Context context_{{.engine = GetParam()}};
};

TEST_P(RoundTrip, AllSizesFromFilesAndPipes) {
  for (const size_t key_bytes : {16, 32}) {
    const Bytes key = pattern_bytes(key_bytes);
    for (const size_t size : kSizes) {
      const Bytes plaintext = pattern_bytes(size);
      for (const Length length : {Length::known, Length::unknown}) {
        const Bytes container = seal_with(context_, key, plaintext, length);
        EXPECT_EQ(container.size(), container_bytes(size));
        const Outcome outcome = open_with(context_, {.key = key}, container, length);
        EXPECT_FALSE(outcome.verdict) << outcome.message;
        EXPECT_EQ(outcome.plaintext, plaintext) << size;
      }
    }
  }
}

TEST_P(RoundTrip, EachContainerHasASaltOfItsOwn) {
  const Bytes key = pattern_bytes(32), plaintext = pattern_bytes(100);
  const Bytes one = seal_with(context_, key, plaintext, Length::known);
  const Bytes other = seal_with(context_, key, plaintext, Length::known);
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
  const Bytes container = seal_with(context_, key, plaintext, Length::unknown);
  const Outcome outcome = open_with(context_, {.key = key}, container, Length::known);
  EXPECT_FALSE(outcome.verdict) << outcome.message;
  EXPECT_TRUE(outcome.plaintext == plaintext);
}

TEST_P(RoundTrip, ProgressGrowsToTheWhole) {
  const Bytes key = pattern_bytes(16), plaintext = pattern_bytes(3000000);
  MemorySource from(plaintext, Length::unknown);
  MemorySink to;
  std::vector<uint64_t> seen;
  EXPECT_EQ(encrypt(context_, {.key = key}, from, to, [&seen](uint64_t done) { seen.push_back(done); }),
            plaintext.size());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), plaintext.size());
}

TEST_P(RoundTrip, KeysOfOtherLengthsAreRefused) {
  MemorySink to;
  for (const size_t key_bytes : {0, 15, 17, 24, 31, 33}) {
    const Bytes key = pattern_bytes(key_bytes);
    MemorySource from({}, Length::known);
    try {
      encrypt(context_, {.key = key}, from, to, [](uint64_t) {});
      ADD_FAILURE() << key_bytes;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_KEY_LENGTH);
    }
  }
  EXPECT_TRUE(to.bytes().empty());
}

/// Claims a length and has nothing.
class ClaimedLength : public ByteSource {
 public:
  explicit ClaimedLength(uint64_t bytes) : bytes_(bytes) {}
  size_t read(std::span<uint8_t>) override { return 0; }
  std::optional<uint64_t> size() const override { return bytes_; }

 private:
  uint64_t bytes_;
};

TEST_P(RoundTrip, MoreThanTheLimitIsRefusedBeforeAnythingIsWritten) {
  const Bytes key = pattern_bytes(32);
  MemorySink to;
  ClaimedLength too_much(kMaxPlaintextBytes + 1);
  EXPECT_THROW(encrypt(context_, {.key = key}, too_much, to, [](uint64_t) {}), Failure);
  EXPECT_TRUE(to.bytes().empty());
}

INSTANTIATE_TEST_SUITE_P(Engines, RoundTrip, testing::ValuesIn(usable_engines()), engine_test_name);

TEST(FileKey, NoncesAreTheBaseXorTheBigEndianChunkNumber) {
  Context context({.engine = "openssl"});
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
