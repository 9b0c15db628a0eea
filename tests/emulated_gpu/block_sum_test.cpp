// The sum over a thread block is right, and leaves nothing in shared memory: from two sums of GHASH the hash
// key can be computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/warp/part_sums.hpp"

namespace warpaes::core {
namespace {

/// Every warp has a sum of its own, none of which is zero.
Gf128 value_of(uint32_t thread) {
  return {uint64_t{0x0123456789abcdef} + thread, uint64_t{1} << thread % 64};
}

TEST(BlockSum, IsRightAndLeavesNothingInSharedMemory) {
  for (const uint32_t threads : {32u, 64u, 160u, 1024u}) {
    SCOPED_TRACE(threads);
    std::array<Gf128, 32> left{};
    Gf128 expected{0, 0}, sum{0, 0};
    for (uint32_t i = 0; i < threads; i++) expected = expected ^ value_of(i);
    emulated::run({1, threads, sizeof left}, [&](emulated::EmulatedThread& thread) {
      auto* const sums = reinterpret_cast<Gf128*>(thread.shared());
      const Gf128 found = sum_of_block(thread, value_of(thread.index()), sums);
      thread.barrier();
      if (thread.index() != 0) return;
      sum = found;
      std::copy_n(sums, threads / kWarpLanes, left.begin());
    });
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(std::ranges::count(left, Gf128{0, 0}), std::ssize(left));
  }
}

}  // namespace
}  // namespace warpaes::core
