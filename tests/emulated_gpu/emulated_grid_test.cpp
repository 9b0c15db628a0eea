// Tests the emulation itself: does it do what a GPU does, and does it find the faults that it should find?
#include "emulated_gpu/emulated_grid.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace warpaes::core::emulated {
namespace {

TEST(EmulatedGrid, RunsEveryThreadOfEveryBlockOnce) {
  std::vector<int> runs(3 * 64);
  run({3, 64, 0}, [&](EmulatedThread& thread) { runs[thread.block() * thread.count() + thread.index()]++; });
  EXPECT_EQ(runs, std::vector<int>(3 * 64, 1));
}

TEST(EmulatedGrid, BarrierShowsAllThreadsWhatWasWrittenBefore) {
  std::vector<uint32_t> seen(64);
  run({1, 64, 64}, [&](EmulatedThread& thread) {
    thread.shared()[thread.index()] = static_cast<uint8_t>(thread.index());
    thread.barrier();
    seen[thread.index()] = thread.shared()[63 - thread.index()];
  });
  for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(seen[i], 63 - i);
}

TEST(EmulatedGrid, LanesExchangeWithinTheirWarp) {
  std::vector<uint64_t> sum(64);
  run({1, 64, 0}, [&](EmulatedThread& thread) {
    uint64_t value = thread.index();
    for (uint32_t mask = 1; mask < kWarpLanes; mask *= 2) value += thread.shuffle_xor(value, mask);
    sum[thread.index()] = value;
  });
  EXPECT_EQ(sum[0], 31u * 32 / 2);
  EXPECT_EQ(sum[31], 31u * 32 / 2);
  EXPECT_EQ(sum[32], 31u * 32 / 2 + 32 * 32);
}

/// A lane that has no use for the answer may ask for any lane.
TEST(EmulatedGrid, LanesAreCountedModulo32) {
  std::vector<uint64_t> seen(32);
  run({1, 32, 0}, [&](EmulatedThread& thread) {
    const uint32_t from = thread.lane() == 0 ? ~uint32_t{0} : thread.lane() + 31;
    seen[thread.lane()] = thread.shuffle(100 + thread.lane(), from);
  });
  for (uint32_t lane = 0; lane < 32; lane++) EXPECT_EQ(seen[lane], 100 + (lane + 31) % 32);
}

TEST(EmulatedGrid, LastWarpToArriveKnowsIt) {
  uint32_t arrivals = 0, lasts = 0;
  run({2, 64, 0}, [&](EmulatedThread& thread) {
    if (thread.arrive(&arrivals) == 3 && thread.lane() == 0) lasts++;
  });
  EXPECT_EQ(arrivals, 4u);
  EXPECT_EQ(lasts, 1u);
}

TEST(EmulatedGrid, EachWarpClaimsNumbersOfItsOwn) {
  uint32_t next = 0;
  std::vector<int> lanes_with(8);
  run({2, 64, 0}, [&](EmulatedThread& thread) {
    for (int i = 0; i < 2; i++) lanes_with[thread.claim(&next)]++;
  });
  EXPECT_EQ(next, 8u);
  EXPECT_EQ(lanes_with, std::vector<int>(8, 32));
}

TEST(EmulatedGrid, BarrierThatSomeThreadsDoNotReachIsFound) {
  const auto divergent = [](EmulatedThread& thread) {
    if (thread.index() < 40) thread.barrier();
  };
  EXPECT_THROW(run({1, 64, 0}, divergent), std::logic_error);
}

TEST(EmulatedGrid, ShuffleInABranchThatSomeLanesDoNotTakeIsFound) {
  const auto divergent = [](EmulatedThread& thread) {
    if (thread.lane() != 7) thread.shuffle_xor(uint64_t{1}, 1);
  };
  EXPECT_THROW(run({1, 64, 0}, divergent), std::logic_error);
}

TEST(EmulatedGrid, FailureInAThreadComesOut) {
  const auto failing = [](EmulatedThread& thread) {
    if (thread.index() == 5) throw std::runtime_error("planted");
  };
  EXPECT_THROW(run({1, 64, 0}, failing), std::runtime_error);
}

#if defined(__SANITIZE_ADDRESS__)
/// How threads take turns is compiled without sanitizers. What a kernel does between two turns is not.
TEST(EmulatedGridDeathTest, AccessBehindSharedMemoryIsFound) {
  const auto store_behind = [](EmulatedThread& thread) {
    thread.sync_warp();
    thread.shared()[16] = 1;
  };
  EXPECT_DEATH(run({2, 64, 16}, store_behind), "heap-buffer-overflow");
}

TEST(EmulatedGridDeathTest, NumbersClaimedBehindACounterAreFound) {
  std::vector<uint32_t> counter(1);
  const auto claim_behind = [&](EmulatedThread& thread) { thread.claim(counter.data() + 1); };
  EXPECT_DEATH(run({2, 64, 0}, claim_behind), "heap-buffer-overflow");
}

TEST(EmulatedGridDeathTest, SumAwaitedBehindItsPlaceIsFound) {
  std::vector<StampedSum> sums(1);
  const auto await_behind = [&](EmulatedThread& thread) { thread.await(sums.data() + 1, 1); };
  EXPECT_DEATH(run({1, 32, 0}, await_behind), "heap-buffer-overflow");
}
#endif

}  // namespace
}  // namespace warpaes::core::emulated
