// How one message of CTR or GCM is distributed to warps. A thread block adds up what its warps have of a
// single message, one sum from each: so a warp must not get two parts of it, on any GPU.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulated_machine.hpp"
#include "engines/cuda/counter_launches.hpp"

namespace warpaes::core {
namespace {

template <Hashed Hash>
void expect_one_part_a_warp(const kernels::DeviceShape& shape, int rounds, CounterKernel kernel,
                            uint64_t bytes) {
  const kernels::grid::CounterWarps warps = counter_warps<Hash>(shape.policy, rounds, kernel);
  for (const uint32_t counter : {0u, 2u, 0xffu}) {
    const CounterPlan plan(shape, warps, 1, bytes, counter);
    CounterArguments arguments{};
    plan.describe(arguments);
    EXPECT_LE(arguments.table_parts, plan.blocks() * static_cast<uint32_t>(warps.tables)) << bytes;
    EXPECT_LE(arguments.sliced_runs, plan.blocks() * static_cast<uint32_t>(warps.sliced)) << bytes;
    EXPECT_GT(plan.blocks(), 0u);
    EXPECT_LE(plan.blocks(), static_cast<uint32_t>(shape.multiprocessors));
  }
}

void expect_one_part_a_warp(const LaunchPolicy& policy, int multiprocessors) {
  SCOPED_TRACE(std::to_string(policy.capability) + ", multiprocessors: " + std::to_string(multiprocessors));
  const kernels::DeviceShape shape{policy.capability, multiprocessors, policy};
  std::vector<CounterKernel> some{CounterKernel::tables, CounterKernel::shifted, CounterKernel::bitsliced};
  if (policy.gcm_hybrid.threads != 0 && policy.ctr_hybrid.threads != 0) {
    some.insert(some.end(), {CounterKernel::hybrid, CounterKernel::shifted_hybrid});
  }
  for (const CounterKernel kernel : some) {
    for (uint64_t bytes = 1; bytes <= uint64_t{1} << 36; bytes += bytes / 3 + 17) {
      // The hybrid kernels do not get shorter messages.
      const bool is_hybrid = kernel == CounterKernel::hybrid || kernel == CounterKernel::shifted_hybrid;
      if (is_hybrid && bytes < 6 * 16 * kGroupBlocks) continue;
      for (const int rounds : {10, 12, 14}) {
        expect_one_part_a_warp<Hashed::nothing>(shape, rounds, kernel, bytes);
        expect_one_part_a_warp<Hashed::output>(shape, rounds, kernel, bytes);
      }
    }
  }
}

TEST(CounterPlan, GivesAWarpOnePartOfASingleMessageAtMost) {
  for (const LaunchPolicy& policy : policies::kAll) {
    for (const int multiprocessors : {1, 2, 3, 7, 20, 132, 148}) {
      expect_one_part_a_warp(policy, multiprocessors);
    }
  }
}

TEST(CounterPlan, DoesSoOnTheEmulatedGpus) {
  expect_one_part_a_warp(kFourTables, EmulatedGpu<kFourTables>::shape(0).multiprocessors);
  expect_one_part_a_warp(kTwoTables, EmulatedGpu<kTwoTables>::shape(0).multiprocessors);
}

}  // namespace
}  // namespace warpaes::core
