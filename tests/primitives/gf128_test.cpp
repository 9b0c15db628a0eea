#include "primitives/gf128.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "primitives/hex.hpp"

namespace warpaes::core {
namespace {

using Block = std::array<uint8_t, 16>;

Block block_of(Gf128 element) {
  Block block{};
  gf128_to_block(element, block.data());
  return block;
}

/// Algorithm 1 of SP 800-38D section 6.3, bit by bit: bit 0 is the leftmost of the block, and
/// R = 11100001 || 0^120.
Block multiply_by_definition(const Block& x, const Block& y, uint8_t r = 0xe1) {
  Block z{}, v = y;
  for (int i = 0; i < 128; i++) {
    if (x[i / 8] >> (7 - i % 8) & 1) {
      for (int k = 0; k < 16; k++) z[k] ^= v[k];
    }
    const bool carry = v[15] & 1;
    for (int k = 15; k >= 0; k--) {
      v[k] = static_cast<uint8_t>(v[k] >> 1 | (k > 0 ? v[k - 1] << 7 : 0));
    }
    if (carry) v[0] ^= r;
  }
  return z;
}

Block multiply(const Block& x, const Block& h) {
  return block_of(gf128_multiply(gf128_from_block(x.data()), ghash_key(gf128_from_block(h.data()))));
}

Block random_block(std::mt19937& random) {
  Block block{};
  for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
  return block;
}

Block one_bit(int bit) {
  Block block{};
  block[bit / 8] = static_cast<uint8_t>(0x80 >> bit % 8);
  return block;
}

TEST(Gf128, MultipliesAsTheStandardDefines) {
  std::mt19937 random(38);
  for (int i = 0; i < 1000; i++) {
    const Block x = random_block(random), h = random_block(random);
    ASSERT_EQ(multiply(x, h), multiply_by_definition(x, h)) << hex_of_bytes(x) << " " << hex_of_bytes(h);
  }
}

TEST(Gf128, MultipliesEveryPairOfSingleBits) {
  for (int i = 0; i < 128; i++) {
    for (int j = 0; j < 128; j++) {
      ASSERT_EQ(multiply(one_bit(i), one_bit(j)), multiply_by_definition(one_bit(i), one_bit(j)))
          << i << " " << j;
    }
  }
}

TEST(Gf128, TheComparisonSeesAnotherPolynomial) {
  const Block last = one_bit(127), x = one_bit(1);
  EXPECT_NE(multiply(last, x), multiply_by_definition(last, x, 0xe3));
}

/// GHASH of test case 2 of the GCM specification: one block of AAD-less ciphertext.
TEST(Gf128, GhashOfTestCase2) {
  const std::vector<uint8_t> h = bytes_of_hex("66e94bd4ef8a2c3b884cfa59ca342b2e");
  const std::vector<uint8_t> c = bytes_of_hex("0388dace60b6a392f328c2b971b2fe78");
  const Gf128 key = ghash_key(gf128_from_block(h.data()));
  const Gf128 first = gf128_multiply(gf128_from_block(c.data()), key);
  const Gf128 sum = gf128_multiply(first ^ ghash_lengths(0, 16), key);
  EXPECT_EQ(hex_of_bytes(block_of(sum)), "f38cbb1ad69223dcc3457ae5b6b0f885");
}

TEST(Gf128, PowersAndInverse) {
  std::mt19937 random(39);
  for (int i = 0; i < 20; i++) {
    const Gf128 a = gf128_from_block(random_block(random).data());
    EXPECT_TRUE(gf128_multiply(a, gf128_one()) == a);
    EXPECT_TRUE(gf128_power(a, 0) == gf128_one());
    EXPECT_TRUE(gf128_power(a, 1) == a);
    EXPECT_TRUE(gf128_power(a, 5) == gf128_multiply(gf128_power(a, 2), gf128_power(a, 3)));
    EXPECT_TRUE(gf128_multiply(a, gf128_inverse(a)) == gf128_one());
  }
  EXPECT_TRUE(gf128_inverse({0, 0}) == (Gf128{0, 0}));
}

TEST(Gf128, SumOfProductsIsReducedOnce) {
  std::mt19937 random(40);
  Gf128Sum sum;
  Gf128 expected{0, 0};
  for (int i = 0; i < 10; i++) {
    const Gf128 a = gf128_from_block(random_block(random).data());
    const Gf128 b = gf128_from_block(random_block(random).data());
    sum.add(a, gf128_factor(b));
    expected = expected ^ gf128_multiply(a, b);
  }
  EXPECT_TRUE(sum.reduced() == expected);
}

TEST(Gf128, BlocksComeBack) {
  std::mt19937 random(41);
  const Block block = random_block(random);
  EXPECT_EQ(block_of(gf128_from_block(block.data())), block);
}

}  // namespace
}  // namespace warpaes::core
