// What is no right container, and how it is told: wrong key, damaged, truncated, trailing bytes. In all
// cases the plaintext that was given is a right beginning, chunk by chunk.
#include <gtest/gtest.h>

#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

constexpr size_t kPlaintextBytes = 3 * kChunk + 100;

class Rejection : public testing::TestWithParam<uint64_t> {
 protected:
  Outcome open(const Bytes& container) { return open_with(context_, key_, container, GetParam()); }

  /// Opens, and expects that verdict there, and nothing but the chunks before it.
  void expect(const Bytes& container, Status status, uint64_t chunk, uint64_t offset,
              const std::string& what) {
    const Outcome outcome = open(container);
    EXPECT_EQ(outcome.status, status) << what << ": " << outcome.message;
    EXPECT_EQ(outcome.chunk, chunk) << what << ": " << outcome.message;
    EXPECT_EQ(outcome.offset, offset) << what << ": " << outcome.message;
    EXPECT_TRUE(begins_with(plaintext_, outcome.plaintext)) << what;
    EXPECT_EQ(outcome.plaintext.size() % kChunk, 0u) << what;
    EXPECT_LE(outcome.plaintext.size(), chunk * kChunk) << what;
  }

  warpaes::Context context_{{.engine = "openssl"}};
  Bytes key_ = pattern_bytes(32);
  Bytes plaintext_ = pattern_bytes(kPlaintextBytes);
  Bytes container_ = seal_with(context_, key_, plaintext_);
};

TEST_P(Rejection, WrongKey) {
  for (size_t byte = 0; byte < key_.size(); byte++) {
    Bytes other = key_;
    other[byte] ^= 1;
    const Outcome outcome = open_with(context_, other, container_, GetParam());
    EXPECT_EQ(outcome.status, WARPAES_ERROR_CONTAINER_KEY);
    EXPECT_TRUE(outcome.plaintext.empty());
  }
  const Bytes context = {'x'};
  // The first half of the key is a key of Cobblestone-128.
  const Bytes half(key_.begin(), key_.begin() + 16);
  EXPECT_EQ(open_with(context_, half, container_, GetParam()).status, WARPAES_ERROR_CONTAINER_KEY);
  EXPECT_EQ(open_with(context_, key_, container_, GetParam(), context).status, WARPAES_ERROR_CONTAINER_KEY);
}

TEST_P(Rejection, EveryByteOfTheHeader) {
  for (size_t byte = 0; byte < kHeader; byte++) {
    Bytes changed = container_;
    changed[byte] ^= 0x80;
    expect(changed, WARPAES_ERROR_CONTAINER_KEY, 0, 0, "header byte " + std::to_string(byte));
  }
}

TEST_P(Rejection, DamageInEveryChunk) {
  for (uint64_t chunk = 0; chunk < 4; chunk++) {
    const size_t begin = offset_of(chunk), end = std::min(offset_of(chunk + 1), container_.size());
    for (const size_t at : {begin, begin + 1, (begin + end) / 2, end - 17, end - 16, end - 8, end - 1}) {
      Bytes changed = container_;
      changed[at] ^= 0x10;
      expect(changed, WARPAES_ERROR_AUTHENTICATION, chunk, begin, "byte " + std::to_string(at));
    }
  }
}

TEST_P(Rejection, EveryTruncationOfTheHeaderAndTheFirstBytes) {
  for (size_t length = 0; length < kHeader + kTag; length++) {
    const Bytes cut(container_.begin(), container_.begin() + static_cast<ptrdiff_t>(length));
    expect(cut, WARPAES_ERROR_TRUNCATED, 0, length, "length " + std::to_string(length));
  }
}

TEST_P(Rejection, TruncationAroundEveryChunkBorder) {
  for (uint64_t chunk = 1; chunk < 4; chunk++) {
    const size_t border = offset_of(chunk);
    for (size_t rest = 0; rest < kTag; rest++) {  // the next chunk's tag cannot be there
      const Bytes cut(container_.begin(), container_.begin() + static_cast<ptrdiff_t>(border + rest));
      expect(cut, WARPAES_ERROR_TRUNCATED, chunk, border + rest, "length " + std::to_string(cut.size()));
    }
  }
}

TEST_P(Rejection, TruncationInsideOfAChunk) {
  // These are lengths that containers have, so only the tag can tell.
  for (uint64_t chunk = 0; chunk < 4; chunk++) {
    const size_t begin = offset_of(chunk), end = std::min(offset_of(chunk + 1), container_.size());
    for (const size_t length : {begin + 16, begin + 17, begin + 50, (begin + end) / 2, end - 16, end - 1}) {
      const Bytes cut(container_.begin(), container_.begin() + static_cast<ptrdiff_t>(length));
      expect(cut, WARPAES_ERROR_AUTHENTICATION, chunk, begin, "length " + std::to_string(length));
      EXPECT_NE(open(cut).message.find("cut short"), std::string::npos);
    }
  }
}

TEST_P(Rejection, TrailingBytes) {
  for (const size_t excess : {1, 15, 16, 17, 1000, 20000, 40000}) {
    Bytes longer = container_;
    const Bytes appended = pattern_bytes(excess);
    longer.insert(longer.end(), appended.begin(), appended.end());
    expect(longer, WARPAES_ERROR_TRAILING_DATA, 3, container_.size(), std::to_string(excess) + " bytes more");
  }
}

TEST_P(Rejection, TrailingBytesAfterAnEmptyLastChunk) {
  const Bytes whole_chunks = pattern_bytes(2 * kChunk);
  const Bytes container = seal_with(context_, key_, whole_chunks);
  Bytes longer = container;
  longer.push_back(0);
  const Outcome outcome = open(longer);
  EXPECT_EQ(outcome.status, WARPAES_ERROR_TRAILING_DATA) << outcome.message;
  EXPECT_EQ(outcome.offset, container.size());
}

/// The container's chunks in another order or number: `order` lists which are there.
Bytes rearranged(const Bytes& container, std::initializer_list<uint64_t> order) {
  Bytes result(container.begin(), container.begin() + kHeader);
  for (const uint64_t chunk : order) {
    const auto begin = container.begin() + static_cast<ptrdiff_t>(offset_of(chunk));
    const size_t end = std::min(offset_of(chunk + 1), container.size());
    result.insert(result.end(), begin, container.begin() + static_cast<ptrdiff_t>(end));
  }
  return result;
}

TEST_P(Rejection, ChunksSwappedDroppedRepeated) {
  const struct {
    Bytes container;
    uint64_t bad_chunk;
    const char* what;
  } cases[] = {
      {rearranged(container_, {1, 0, 2, 3}), 0, "the first two swapped"},
      {rearranged(container_, {0, 2, 1, 3}), 1, "the middle two swapped"},
      {rearranged(container_, {0, 2, 3}), 1, "one dropped"},
      {rearranged(container_, {1, 2, 3}), 0, "the first dropped"},
      {rearranged(container_, {0, 0, 1, 2, 3}), 1, "the first repeated"},
      {rearranged(container_, {0, 1, 2, 2, 3}), 3, "the last full one repeated"},
      {rearranged(container_, {3}), 0, "the last one alone"},
  };
  for (const auto& [container, bad_chunk, what] : cases) {
    expect(container, WARPAES_ERROR_AUTHENTICATION, bad_chunk, offset_of(bad_chunk), what);
  }
  expect(rearranged(container_, {0, 1, 2}), WARPAES_ERROR_TRUNCATED, 3, offset_of(3), "the last dropped");
  expect(rearranged(container_, {0, 1, 2, 3, 3}), WARPAES_ERROR_TRAILING_DATA, 3, container_.size(),
         "the last repeated");
}

TEST_P(Rejection, ChunksOfAnotherContainer) {
  const Bytes other = seal_with(context_, key_, plaintext_);
  Bytes mixed = container_;
  std::copy(other.begin() + static_cast<ptrdiff_t>(offset_of(1)),
            other.begin() + static_cast<ptrdiff_t>(offset_of(2)),
            mixed.begin() + static_cast<ptrdiff_t>(offset_of(1)));
  expect(mixed, WARPAES_ERROR_AUTHENTICATION, 1, offset_of(1),
         "a chunk of the same plaintext under another salt");
}

TEST_P(Rejection, DamageFarInsideNamesItsChunk) {
  const Bytes plaintext = pattern_bytes(300 * kChunk + 5);
  Bytes container = seal_with(context_, key_, plaintext);
  container[offset_of(257) + 1234] ^= 1;
  const Outcome outcome = open(container);
  EXPECT_EQ(outcome.status, WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(outcome.chunk, 257u);
  EXPECT_EQ(outcome.plaintext.size(), 257 * kChunk);
  EXPECT_TRUE(begins_with(plaintext, outcome.plaintext));
  EXPECT_NE(outcome.message.find("chunk 257 (bytes 4214856 to 4231255)"), std::string::npos)
      << outcome.message;
}

INSTANTIATE_TEST_SUITE_P(ChunksACall, Rejection, testing::Values(1, 2, 400));

}  // namespace
}  // namespace warpaes::core::test
