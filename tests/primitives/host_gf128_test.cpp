#include "primitives/host_gf128.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "primitives/ghash.hpp"
#include "primitives/polyval.hpp"

namespace warpaes::core {
namespace {

std::vector<const HostGf128*> all_arithmetics() {
  std::vector<const HostGf128*> all = {&plain_gf128, &host_gf128()};
  if (const HostGf128* const fast = instruction_gf128()) all.push_back(fast);
  return all;
}

Gf128 random_element(std::mt19937_64& random) { return {random(), random()}; }

/// GHASH's and POLYVAL's definition, a block at a time, by the arithmetic that is tested by itself.
Gf128 sum_by_definition(Gf128 key, HashOrder order, const std::vector<uint8_t>& data) {
  Gf128 sum{0, 0};
  for (size_t at = 0; at < data.size(); at += 16) {
    uint8_t block[16] = {};
    std::copy_n(data.data() + at, std::min<size_t>(16, data.size() - at), block);
    const Gf128 element =
        order == HashOrder::ghash ? gf128_from_block(block) : Gf128{load_le64(block), load_le64(block + 8)};
    sum = gf128_multiply(sum ^ element, key);
  }
  return sum;
}

TEST(HostGf128, MultipliesAsInPlainCode) {
  std::mt19937_64 random(1);
  for (const HostGf128* const arithmetic : all_arithmetics()) {
    SCOPED_TRACE(arithmetic->name);
    for (int i = 0; i < 1000; i++) {
      const Gf128 a = random_element(random), b = random_element(random);
      ASSERT_TRUE(arithmetic->multiply(a, b) == gf128_multiply(a, b));
    }
    for (int i = 0; i < 128; i++) {
      const Gf128 bit = i < 64 ? Gf128{uint64_t{1} << i, 0} : Gf128{0, uint64_t{1} << (i - 64)};
      const Gf128 ones{~uint64_t{0}, ~uint64_t{0}};
      ASSERT_TRUE(arithmetic->multiply(bit, ones) == gf128_multiply(bit, ones)) << i;
    }
  }
}

TEST(HostGf128, PowersAndInversesAreThoseOfPlainCode) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10; i++) {
    const Gf128 a = random_element(random);
    const uint64_t exponent = random() >> random() % 64;
    EXPECT_TRUE(host_power(a, exponent) == gf128_power(a, exponent));
    EXPECT_TRUE(host_inverse(a) == gf128_inverse(a));
    EXPECT_TRUE(gf128_multiply(a, host_inverse(a)) == gf128_one());
  }
  EXPECT_TRUE(host_inverse({0, 0}) == (Gf128{0, 0}));
  EXPECT_TRUE(host_power({5, 6}, 0) == gf128_one());
}

/// Lengths about those at which blocks are multiplied side by side, in parts that leave the powers unused at
/// first.
TEST(HostGf128, HashesAnyNumberOfBytes) {
  std::mt19937_64 random(3);
  for (const HostGf128* const arithmetic : all_arithmetics()) {
    for (const HashOrder order : {HashOrder::ghash, HashOrder::polyval}) {
      for (size_t length = 0; length < 420; length++) {
        const Gf128 key = random_element(random);
        std::vector<uint8_t> data(length);
        for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
        Ghash whole(key, order, *arithmetic), parts(key, order, *arithmetic);
        whole.add_padded(data.data(), length);
        const size_t cut = length == 0 ? 0 : random() % length / 16 * 16;
        parts.add_padded(data.data(), cut);
        parts.add_padded(data.data() + cut, length - cut);
        const Gf128 expected = sum_by_definition(key, order, data);
        ASSERT_TRUE(whole.sum() == expected) << arithmetic->name << " " << length;
        ASSERT_TRUE(parts.sum() == expected) << arithmetic->name << " " << length << " cut at " << cut;
      }
    }
  }
}

/// A CPU that has the instruction must not fall back to plain code without anybody noticing.
TEST(HostGf128, TheInstructionIsUsedWhereThereIsOne) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3")) {
    EXPECT_STREQ(host_gf128().name, "pclmulqdq");
    return;
  }
#endif
  EXPECT_STREQ(host_gf128().name, "plain");
}

}  // namespace
}  // namespace warpaes::core
