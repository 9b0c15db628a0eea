// Which regions overlap, as they say who go through them byte by byte.
#include "modes/regions.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kMemory = 320;
uint8_t memory[kMemory];

bool disjoint_by_bytes(const Region& a, const Region& b) {
  std::vector<bool> taken(kMemory);
  const auto each_byte = [](const Region& region, const auto& visit) {
    const auto first = static_cast<size_t>(static_cast<const uint8_t*>(region.data) - memory);
    for (size_t piece = 0; piece < region.count; piece++) {
      for (size_t byte = 0; byte < region.bytes; byte++) visit(first + piece * region.stride + byte);
    }
  };
  bool answer = true;
  each_byte(a, [&](size_t at) { taken.at(at) = true; });
  each_byte(b, [&](size_t at) { answer = answer && !taken.at(at); });
  return answer;
}

/// A region that is valid, in the memory. @param loose pieces far apart, with room for others between them
Region random_region(std::mt19937& random, bool loose) {
  const auto below = [&](uint64_t end) { return random() % end; };
  const uint64_t count = below(7), bytes = below(9), gap = below(loose ? 25 : 4);
  const uint64_t stride = count <= 1 ? below(3) : bytes + gap;
  return {"", memory + below(100), count, stride, bytes};
}

TEST(Regions, AreComparedAsByteByByte) {
  std::mt19937 random(1);
  int apart = 0, shared = 0;
  for (int round = 0; round < 200000; round++) {
    const Region a = random_region(random, round % 2 == 0), b = random_region(random, round % 3 == 0);
    const bool expected = disjoint_by_bytes(a, b);
    (expected ? apart : shared)++;
    const auto at = [](const Region& region) { return static_cast<const uint8_t*>(region.data) - memory; };
    ASSERT_EQ(disjoint(a, b), expected)
        << a.count << " of " << a.bytes << " every " << a.stride << " from " << at(a) << "; " << b.count
        << " of " << b.bytes << " every " << b.stride << " from " << at(b);
  }
  EXPECT_GT(apart, 20000);
  EXPECT_GT(shared, 20000);
}

/// The longest regions that are valid are compared at once, and without a number that overflows.
TEST(Regions, OfTheWholeAddressSpaceAreCompared) {
  const auto region = [](uint64_t at, uint64_t count, uint64_t stride, uint64_t bytes) {
    return Region{"", reinterpret_cast<const void*>(at), count, stride, bytes};
  };
  const Region even = region(4096, kAddressSpace / 2, 2, 1);
  EXPECT_TRUE(disjoint(even, region(4097, kAddressSpace / 2, 2, 1)));
  EXPECT_TRUE(disjoint(even, region(4097, kAddressSpace / 4, 4, 1)));
  EXPECT_FALSE(disjoint(even, region(4097, kAddressSpace / 3, 3, 1)));
  EXPECT_TRUE(disjoint(region(4096, kAddressSpace / 6, 6, 1), region(4097, kAddressSpace / 4 - 1, 4, 1)));
  const Region wide = region(4096, 2, kAddressSpace - 16, 16);
  EXPECT_TRUE(disjoint(wide, region(4096 + 16, 1, 0, kAddressSpace - 32)));
  EXPECT_FALSE(disjoint(wide, region(4096 + 16, 1, 0, kAddressSpace - 31)));
}

}  // namespace
}  // namespace warpaes::core::testing
