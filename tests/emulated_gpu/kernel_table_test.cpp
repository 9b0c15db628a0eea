// The table of kernels: is it complete, and would each kernel fit on each GPU?
#include "kernels/kernel_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "emulated_engines.hpp"

namespace warpaes::core::kernels {
namespace {

TEST(KernelTable, RowsHaveNamesOfTheirOwnAndSayWhatTheyAre) {
  std::set<std::string> names;
  for (const KernelRow& row : kernel_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const char* words : {row.idea, row.source, row.modes}) {
      ASSERT_NE(words, nullptr) << row.name;
      EXPECT_STRNE(words, "") << row.name;
    }
    EXPECT_EQ(std::string(row.idea).back(), '.') << row.name;
    EXPECT_NE(row.timing, WARPAES_TIMING_LEAKY) << row.name;
  }
}

/// That each has a launcher is what the linker sees to.
TEST(KernelTable, RowsHaveTheSameKernelsForAGpuAndForTheEmulatedOne) {
  const auto on_gpu = kernel_table(), emulated = emulated_kernel_table();
  ASSERT_EQ(on_gpu.size(), emulated.size());
  for (size_t i = 0; i < on_gpu.size(); i++) {
    EXPECT_STREQ(on_gpu[i].name, emulated[i].name);
    EXPECT_FALSE(on_gpu[i].variants.empty()) << on_gpu[i].name;
    ASSERT_EQ(on_gpu[i].variants.size(), emulated[i].variants.size()) << on_gpu[i].name;
    for (const KernelVariant& variant : on_gpu[i].variants) EXPECT_NE(variant.prepare, nullptr);
    for (const KernelVariant& variant : emulated[i].variants) {
      EXPECT_EQ(variant.prepare(policies::kHopper), 0) << emulated[i].name;
    }
  }
}

/// A block has no more shared memory than there is, and an even number of warps.
TEST(KernelTable, BlocksFitOnEveryArchitecture) {
  for (const LaunchPolicy& on : policies::kAll) {
    for (const KernelRow& row : kernel_table()) {
      SCOPED_TRACE(std::string(row.name) + " on " + std::to_string(on.capability));
      for (const KernelVariant& variant : row.variants) {
        for (const int rounds : {10, 12, 14}) {
          const KernelPolicy policy = variant.policy(on, rounds);
          EXPECT_LE(policy.threads, 1024u);
          EXPECT_EQ(policy.threads % (2 * kWarpLanes), 0u);
          EXPECT_LE(shared_bytes_of(policy, policy.threads), on.most_shared_bytes);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core::kernels
