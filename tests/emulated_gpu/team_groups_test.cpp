// How teams count a message's blocks, up to the longest messages, which are too long to be worked on here.
#include <gtest/gtest.h>

#include "engines/cuda/team_geometry.hpp"
#include "kernels/team/message_teams.hpp"

namespace warpaes::core {
namespace {

/// Walks the beginning and the end of the message as a lane of a team does.
void expect_right(uint64_t bytes, uint32_t lanes) {
  SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(lanes) + " lanes");
  const int64_t blocks = static_cast<int64_t>((bytes + 15) / 16), of_group = 4 * lanes;
  const TeamGroups found(bytes, lanes);
  EXPECT_EQ(int64_t{found.groups}, (blocks + of_group - 1) / of_group);
  const int64_t first = static_cast<int32_t>(found.first);
  EXPECT_EQ(first, blocks - int64_t{found.groups} * of_group) << "the last block is a group's last";
  EXPECT_EQ(found.is_full(), blocks % of_group == 0);
  if (blocks == 0) return;
  EXPECT_TRUE(TeamGroups::is_before_message(found.first) || found.is_full());
  const uint32_t last = found.first + found.groups * 4 * lanes - 1;
  EXPECT_EQ(int64_t{last}, blocks - 1);
  EXPECT_FALSE(TeamGroups::is_before_message(last));
  EXPECT_FALSE(TeamGroups::is_before_message(0));
  EXPECT_TRUE(TeamGroups::is_before_message(TeamGroups::kBefore));
}

TEST(TeamGroups, HoldEveryBlockOfTheLongestMessages) {
  for (const uint32_t lanes : {8u, 16u, 32u}) {
    for (uint64_t shorter = 0; shorter <= 5000; shorter += 8) expect_right(kLongestRagged - shorter, lanes);
  }
}

TEST(TeamGroups, HoldEveryBlockOfShortMessages) {
  for (const uint32_t lanes : {8u, 16u, 32u}) {
    for (uint64_t bytes = 0; bytes <= 6000; bytes++) expect_right(bytes, lanes);
  }
}

/// OCB3 counts whole blocks in 32 bits, and steps beyond the last one by a row of a team.
static_assert(kLongestRagged / 16 + 2 * kWarpLanes <= UINT32_MAX);

}  // namespace
}  // namespace warpaes::core
