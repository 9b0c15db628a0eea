// Random access: every slice is what a slice of the plaintext is, and only its chunks are read.
#include <gtest/gtest.h>

#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

using namespace cobblestone;

class ReaderTest : public testing::TestWithParam<std::string> {
 protected:
  Bytes read(const Bytes& container, uint64_t offset, size_t count) {
    const MemoryReader from(container);
    Reader reader(context_, {.key = key_}, from);
    Bytes result(count);
    result.resize(reader.read(offset, result));
    return result;
  }

  Context context_{{.engine = GetParam()}};
  Bytes key_ = pattern_bytes(32);
};

Bytes slice(const Bytes& bytes, size_t offset, size_t count) {
  if (offset >= bytes.size()) return {};
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(offset);
  return {begin, begin + static_cast<ptrdiff_t>(std::min(count, bytes.size() - offset))};
}

TEST_P(ReaderTest, SlicesEqualSlicesOfThePlaintext) {
  for (const size_t size :
       {size_t{0}, size_t{1}, kChunkBytes - 1, kChunkBytes, kChunkBytes + 1, 5 * kChunkBytes + 77}) {
    const Bytes plaintext = pattern_bytes(size);
    const Bytes container = seal_with(context_, key_, plaintext, Length::known);
    const MemoryReader from(container);
    Reader reader(context_, {.key = key_}, from);
    EXPECT_EQ(reader.size(), size);
    for (const uint64_t offset :
         {size_t{0}, size_t{1}, kChunkBytes - 1, kChunkBytes, 2 * kChunkBytes + 9, size, size + 1}) {
      for (const size_t count :
           {size_t{0}, size_t{1}, size_t{100}, kChunkBytes, 2 * kChunkBytes + 1, 10 * kChunkBytes}) {
        Bytes got(count);
        got.resize(reader.read(offset, got));
        EXPECT_EQ(got, slice(plaintext, offset, count)) << size << ": " << offset << " + " << count;
      }
    }
  }
}

TEST_P(ReaderTest, ReadsLongerThanABatch) {
  if (GetParam() == "portable/fips197") GTEST_SKIP() << "too slow for 8 MiB";
  const Bytes plaintext = pattern_bytes(8 << 20);
  const Bytes container = seal_with(context_, key_, plaintext, Length::known);
  EXPECT_TRUE(read(container, 12345, plaintext.size()) == slice(plaintext, 12345, plaintext.size()));
}

TEST_P(ReaderTest, TouchesOnlyTheChunksNeeded) {
  const Bytes container = seal_with(context_, key_, pattern_bytes(50 * kChunkBytes), Length::known);
  const MemoryReader from(container);
  Reader reader(context_, {.key = key_}, from);
  const uint64_t opening = from.bytes_read();
  EXPECT_EQ(opening, kHeaderBytes + kTagBytes);  // the last chunk is empty
  Bytes into(2);
  EXPECT_EQ(reader.read(20 * kChunkBytes - 1, into), 2u);  // across a border
  EXPECT_EQ(from.bytes_read() - opening, 2 * kSealedChunkBytes);
}

TEST_P(ReaderTest, DamageElsewhereDoesNotMatterDamageHereDoes) {
  const Bytes plaintext = pattern_bytes(5 * kChunkBytes + 1);
  Bytes container = seal_with(context_, key_, plaintext, Length::known);
  container[chunk_offset(2) + 5] ^= 1;
  EXPECT_EQ(read(container, 3 * kChunkBytes, 1000), slice(plaintext, 3 * kChunkBytes, 1000));
  try {
    read(container, kChunkBytes, 2 * kChunkBytes);
    ADD_FAILURE() << "accepted";
  } catch (const Rejected& rejected) {
    EXPECT_EQ(rejected.verdict(), Verdict::damaged);
    EXPECT_EQ(rejected.chunk(), 2u);
  }
}

TEST_P(ReaderTest, OpeningChecksKeyAndLength) {
  const Bytes container = seal_with(context_, key_, pattern_bytes(2 * kChunkBytes + 10), Length::known);
  const auto verdict_of = [this](const Bytes& bytes, const Bytes& key) -> std::optional<Verdict> {
    const MemoryReader from(bytes);
    try {
      Reader reader(context_, {.key = key}, from);
      return std::nullopt;
    } catch (const Rejected& rejected) {
      return rejected.verdict();
    }
  };
  EXPECT_EQ(verdict_of(container, key_), std::nullopt);
  EXPECT_EQ(verdict_of(container, pattern_bytes(16)), Verdict::wrong_key);
  EXPECT_EQ(verdict_of(slice(container, 0, 40), key_), Verdict::truncated);
  EXPECT_EQ(verdict_of(slice(container, 0, chunk_offset(2)), key_), Verdict::truncated);
  EXPECT_EQ(verdict_of(slice(container, 0, chunk_offset(2) - 1), key_), Verdict::damaged);
  Bytes longer = container;
  longer.push_back(0);
  EXPECT_EQ(verdict_of(longer, key_), Verdict::trailing_data);
}

INSTANTIATE_TEST_SUITE_P(Engines, ReaderTest, testing::ValuesIn(usable_engines()), engine_test_name);

}  // namespace
}  // namespace warpaes::core::test
