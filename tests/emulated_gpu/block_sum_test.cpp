// The sums over a thread block and over all blocks of a grid are right, and leave nothing in memory: from two
// sums of GHASH the hash key can be computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/warp/message_end.hpp"

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

/// What the last of so many thread blocks has, if their sums are published with a stamp of `stamp`.
Gf128 sum_of_grid(uint32_t blocks, std::vector<StampedSum>& sums, uint64_t stamp) {
  constexpr uint32_t kThreads = 64;
  Gf128 sum{0, 0};
  emulated::run({blocks, kThreads, sizeof(MessageEndScratch)}, [&](emulated::EmulatedThread& thread) {
    auto& scratch = *reinterpret_cast<MessageEndScratch*>(thread.shared());
    const Gf128 own = value_of(thread.block() * kThreads + thread.index());
    Gf128 total;
    begin_shared_message(thread, {sums.data(), stamp});
    const bool last = sum_of_blocks(thread, own, {sums.data(), stamp}, true, scratch, total);
    EXPECT_EQ(last, thread.block() == blocks - 1);
    if (last) await_stores(thread, {sums.data(), stamp});
    if (last && thread.index() == 0) sum = total;
  });
  return sum;
}

TEST(GridSum, IsRightInAnyWorkspaceAndLeavesNothingThere) {
  constexpr uint64_t kStamp = 0xfedcba9876543210;
  for (const uint32_t blocks : {1u, 2u, 70u, 132u}) {
    SCOPED_TRACE(blocks);
    std::vector<StampedSum> sums(blocks);
    std::memset(sums.data(), 0x5a, blocks * sizeof(StampedSum));
    Gf128 expected{0, 0};
    for (uint32_t i = 0; i < blocks * 64; i++) expected = expected ^ value_of(i);
    for (int replay = 0; replay < 2; replay++) {  // of a graph: the stamp is the same
      EXPECT_EQ(sum_of_grid(blocks, sums, kStamp), expected);
      for (uint32_t i = 0; i < blocks - 1; i++) {
        for (const StampedHalf& half : {sums[i].half[0], sums[i].half[1], sums[i].writing}) {
          EXPECT_TRUE(half.value == 0 && half.stamp == 0) << i;
        }
      }
    }
  }
}

TEST(GridSum, TakesNoSumOfAnotherLaunch) {
  std::vector<StampedSum> sums(3);
  for (StampedSum& sum : sums) sum = {{{1, 8}, {2, 8}}, {0, 0}};
  EXPECT_THROW(
      emulated::run({1, kWarpLanes, 0}, [&](emulated::EmulatedThread& thread) { thread.await(&sums[0], 9); }),
      std::logic_error);
}

TEST(GridSum, WaitsUntilABlockWritesNoMore) {
  std::vector<StampedSum> sums(2);
  const auto begin_and_wait = [&](emulated::EmulatedThread& thread) {
    begin_shared_message(thread, {sums.data(), 9});
    if (thread.block() == 1) await_stores(thread, {sums.data(), 9});
  };
  EXPECT_THROW(emulated::run({2, kWarpLanes, 0}, begin_and_wait), std::logic_error);
}

}  // namespace
}  // namespace warpaes::core
