// Random access: every slice is what a slice of the plaintext is, and only its chunks are read.
#include <gtest/gtest.h>

#include <algorithm>

#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

class ReaderTest : public testing::TestWithParam<std::string> {
 protected:
  Bytes read(const Bytes& container, uint64_t offset, size_t count) {
    const auto opened = Container::open(context_, key_, header_of(container));
    Bytes result(count);
    const auto read_at = [&](uint64_t at, Output into) {
      std::copy_n(container.begin() + static_cast<ptrdiff_t>(at), into.size(),
                  static_cast<uint8_t*>(into.data()));
      bytes_read_ += into.size();
    };
    result.resize(opened->read(container.size(), read_at, offset, result));
    return result;
  }

  warpaes::Context context_{{.engine = GetParam()}};
  Bytes key_ = pattern_bytes(32);
  uint64_t bytes_read_ = 0;
};

Bytes slice(const Bytes& bytes, size_t offset, size_t count) {
  if (offset >= bytes.size()) return {};
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(offset);
  return {begin, begin + static_cast<ptrdiff_t>(std::min(count, bytes.size() - offset))};
}

TEST_P(ReaderTest, SlicesEqualSlicesOfThePlaintext) {
  for (const size_t size : {size_t{0}, size_t{1}, kChunk - 1, kChunk, kChunk + 1, 5 * kChunk + 77}) {
    const Bytes plaintext = pattern_bytes(size);
    const Bytes container = seal_with(context_, key_, plaintext);
    EXPECT_EQ(plaintext_size(container.size()), size);
    for (const uint64_t offset : {size_t{0}, size_t{1}, kChunk - 1, kChunk, 2 * kChunk + 9, size, size + 1}) {
      for (const size_t count : {size_t{0}, size_t{1}, size_t{100}, kChunk, 2 * kChunk + 1, 10 * kChunk}) {
        EXPECT_EQ(read(container, offset, count), slice(plaintext, offset, count))
            << size << ": " << offset << " + " << count;
      }
    }
  }
}

TEST_P(ReaderTest, ReadsLongerThanABatch) {
  if (GetParam() == "portable/fips197") GTEST_SKIP() << "too slow for 8 MiB";
  const Bytes plaintext = pattern_bytes(8 << 20);
  const Bytes container = seal_with(context_, key_, plaintext);
  EXPECT_TRUE(read(container, 12345, plaintext.size()) == slice(plaintext, 12345, plaintext.size()));
}

TEST_P(ReaderTest, TouchesOnlyTheChunksNeeded) {
  const Bytes container = seal_with(context_, key_, pattern_bytes(50 * kChunk));
  EXPECT_EQ(read(container, 20 * kChunk - 1, 2).size(), 2u);  // across a border
  EXPECT_EQ(bytes_read_, 2 * kSealed);
}

TEST_P(ReaderTest, DamageElsewhereDoesNotMatterDamageHereDoes) {
  const Bytes plaintext = pattern_bytes(5 * kChunk + 1);
  Bytes container = seal_with(context_, key_, plaintext);
  container[offset_of(2) + 5] ^= 1;
  EXPECT_EQ(read(container, 3 * kChunk, 1000), slice(plaintext, 3 * kChunk, 1000));
  try {
    read(container, kChunk, 2 * kChunk);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_NE(std::string(error.what()).find("chunk 2 "), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ReaderTest, testing::ValuesIn(usable_engines()), engine_test_name);

}  // namespace
}  // namespace warpaes::core::test
