#include "container/layout.hpp"

#include <gtest/gtest.h>

namespace warpaes::core::cobblestone {
namespace {

TEST(Layout, ExamplesOfTheSpecification) {
  EXPECT_EQ(chunks_of(0), 1u);          // an empty message is a single empty chunk
  EXPECT_EQ(chunks_of(1024), 1u);       // 1 KiB: one chunk
  EXPECT_EQ(chunks_of(16384), 2u);      // 16 KiB: a full and an empty one
  EXPECT_EQ(chunks_of(20 * 1024), 2u);  // 20 KiB: a full one and 4 KiB
  EXPECT_EQ(chunk_offset(3), 56u + 3 * 16400);
  EXPECT_EQ(chunks_of(kMaxPlaintextBytes), kMaxChunks);
}

TEST(Layout, LengthOfTheContainerGivesThatOfThePlaintext) {
  for (const uint64_t around : {uint64_t{0}, uint64_t{16384}, uint64_t{163840}, uint64_t{1} << 40}) {
    for (uint64_t bytes = around > 20 ? around - 20 : 0; bytes <= around + 20; bytes++) {
      const Layout layout = layout_of(container_bytes(bytes));
      EXPECT_TRUE(layout.complete) << bytes;
      EXPECT_EQ(layout.plaintext_bytes, bytes);
      EXPECT_EQ(layout.chunks, chunks_of(bytes));
    }
  }
}

TEST(Layout, LengthsOfNoContainer) {
  for (uint64_t length = 0; length < 56 + 16; length++) EXPECT_FALSE(layout_of(length).complete) << length;
  for (uint64_t chunk = 1; chunk < 5; chunk++) {
    EXPECT_TRUE(layout_of(chunk_offset(chunk) - 1).complete);
    for (uint64_t rest = 0; rest < 16; rest++) {
      const Layout layout = layout_of(chunk_offset(chunk) + rest);
      EXPECT_FALSE(layout.complete) << chunk << " chunks and " << rest;
      EXPECT_EQ(layout.chunks, chunk);
    }
    EXPECT_TRUE(layout_of(chunk_offset(chunk) + 16).complete);
  }
}

}  // namespace
}  // namespace warpaes::core::cobblestone
