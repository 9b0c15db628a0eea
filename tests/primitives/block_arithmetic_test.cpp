// Doubling, counting, moving and padding of blocks, against arithmetic on their bytes one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "kernels/warp/block_access.hpp"
#include "primitives/align.hpp"
#include "primitives/byte_shift.hpp"
#include "primitives/chaining.hpp"
#include "primitives/counter_block.hpp"
#include "primitives/gf_double.hpp"
#include "primitives/next_counter.hpp"
#include "primitives/xts_tweak.hpp"

namespace warpaes::core {
namespace {

using Block = std::array<uint8_t, 16>;

Block bytes_of(Columns v) {
  Block block;
  store_bytes(block.data(), v, 16);
  return block;
}

Columns columns_of(const Block& block) { return load_bytes(block.data(), 16); }

/// Random ones, and those with all bits or none.
std::vector<Block> examples() {
  std::mt19937 generator(1);
  std::vector<Block> made(40);
  for (Block& block : made) {
    for (uint8_t& byte : block) byte = static_cast<uint8_t>(generator());
  }
  made.front().fill(0);
  made.back().fill(0xff);
  return made;
}

/// Bit by bit. @param power (size_t bit of the block, from its first byte's highest on) -> power of x
template <class Power>
Block times_x(const Block& block, const Power& power) {
  std::array<bool, 129> sum{};
  std::array<size_t, 128> bit_of{};
  for (size_t bit = 0; bit < 128; bit++) {
    bit_of[power(bit)] = bit;
    if ((block[bit / 8] >> (7 - bit % 8) & 1) != 0) sum[power(bit) + 1] = true;
  }
  if (sum[128]) {
    for (const size_t term : {7, 2, 1, 0}) sum[term] = !sum[term];
  }
  Block product{};
  for (size_t exponent = 0; exponent < 128; exponent++) {
    const size_t bit = bit_of[exponent];
    if (sum[exponent]) product[bit / 8] = static_cast<uint8_t>(product[bit / 8] | 0x80 >> bit % 8);
  }
  return product;
}

TEST(Doubled, IsTimesXWithTheHighestPowerFirst) {
  for (const Block& block : examples()) {
    const Block expected = times_x(block, [](size_t bit) { return 127 - bit; });
    EXPECT_EQ(bytes_of(doubled(columns_of(block))), expected);
    EXPECT_EQ(mac_doubled(block), expected);
  }
}

/// SP 800-38B appendix D.1 (AES-128): L, K1, K2.
TEST(Doubled, MakesTheSubkeysOfTheStandardsExample) {
  const Block l = {0x7d, 0xf7, 0x6b, 0x0c, 0x1a, 0xb8, 0x99, 0xb3,
                   0x3e, 0x42, 0xf0, 0x47, 0xb9, 0x1b, 0x54, 0x6f};
  const Block k1 = {0xfb, 0xee, 0xd6, 0x18, 0x35, 0x71, 0x33, 0x66,
                    0x7c, 0x85, 0xe0, 0x8f, 0x72, 0x36, 0xa8, 0xde};
  const Block k2 = {0xf7, 0xdd, 0xac, 0x30, 0x6a, 0xe2, 0x66, 0xcc,
                    0xf9, 0x0b, 0xc1, 0x1e, 0xe4, 0x6d, 0x51, 0x3b};
  EXPECT_EQ(bytes_of(doubled(columns_of(l))), k1);
  EXPECT_EQ(bytes_of(doubled(columns_of(k1))), k2);
}

TEST(TweakDoubled, IsTimesXWithTheLowestPowerFirst) {
  for (const Block& block : examples()) {
    const Columns v = columns_of(block), found = tweak_doubled(v);
    EXPECT_EQ(bytes_of(found), times_x(block, [](size_t bit) { return bit / 8 * 8 + 7 - bit % 8; }));
    const XtsTweak same = xts_times_x({{v.a, v.b, v.c, v.d}}, 1);
    EXPECT_EQ(bytes_of(found), bytes_of({same.word[0], same.word[1], same.word[2], same.word[3]}));
  }
}

TEST(NextCounter, CarriesThroughAllItsBits) {
  for (size_t ones = 0; ones <= 16; ones++) {
    for (Block block : examples()) {
      std::fill(block.end() - static_cast<ptrdiff_t>(ones), block.end(), uint8_t{0xff});
      Block expected;
      store_counter(expected.data(), add128(load_counter(block.data()), 1));
      EXPECT_EQ(bytes_of(next_counter(columns_of(block))), expected);
    }
  }
}

TEST(ByteShift, MovesEachByteToItsPlace) {
  for (const Block& block : examples()) {
    for (uint32_t by = 0; by <= 16; by++) {
      Block up{}, down{}, kept{}, dropped = block;
      std::copy(block.begin(), block.end() - by, up.begin() + by);
      std::copy(block.begin() + by, block.end(), down.begin());
      std::copy_n(block.begin(), by, kept.begin());
      std::fill_n(dropped.begin(), by, uint8_t{0});
      const Columns v = columns_of(block);
      EXPECT_EQ(bytes_of(moved_up(v, by)), up) << by;
      EXPECT_EQ(bytes_of(moved_down(v, by)), down) << by;
      EXPECT_EQ(bytes_of(keep_bytes(v, by)), kept) << by;
      EXPECT_EQ(bytes_of(drop_bytes(v, by)), dropped) << by;
    }
  }
}

TEST(Padded, HasAOneBitBehindTheLastByte) {
  for (const Block& block : examples()) {
    for (uint32_t bytes = 0; bytes <= 16; bytes++) {
      Block expected{};
      std::copy_n(block.begin(), bytes, expected.begin());
      if (bytes < 16) expected[bytes] = 0x80;
      EXPECT_EQ(bytes_of(padded(keep_bytes(columns_of(block), bytes), bytes)), expected) << bytes;
    }
  }
}

TEST(RoundedUp, IsTheNextMultiple) {
  for (uint64_t bytes = 0; bytes < 70; bytes++) {
    const uint64_t found = rounded_up(bytes, 16);
    EXPECT_TRUE(found % 16 == 0 && found >= bytes && found < bytes + 16) << bytes;
  }
}

}  // namespace
}  // namespace warpaes::core
