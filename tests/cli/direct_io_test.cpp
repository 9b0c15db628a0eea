// Memory that the data of files passes through which bypass the page cache.
#include "direct_io.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpaes::cli {
namespace {

constexpr uint64_t kBlock = 4096;
constexpr uint8_t kSecret = 0x5a;

/// Where the memory was that held it.
const uint8_t* place_of_what_is_gone() {
  const Blocks memory(kBlock, kBlock);
  std::ranges::fill(memory.bytes(), kSecret);
  return memory.bytes().data();
}

TEST(Blocks, AreWipedWhenTheyGo) {
  const uint8_t* const place = place_of_what_is_gone();
  const Blocks again(kBlock, kBlock);
  if (again.bytes().data() != place) GTEST_SKIP() << "this allocator gives other memory";
  EXPECT_EQ(std::ranges::count(again.bytes(), kSecret), 0);
}

}  // namespace
}  // namespace warpaes::cli
