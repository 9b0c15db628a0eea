// How the first launch for a list of long messages deals out its groups, on the emulated GPU: when a planning
// thread has more than one message, when a warp on bit planes has more groups than it prepares at a time, and
// when there are more messages than one thread block looks at.
#include "engines/cuda/listed_launches.hpp"
#include "listed_fixture.hpp"

namespace warpaes::core::listed {
namespace {

class ListedPlans : public EmulatedListed {};

/// The thread block that plans has 1,024 threads. Most of these messages are short, as the others take time.
TEST_P(ListedPlans, HaveMoreMessagesThanThreads) {
  std::vector<Tensor> tensors(1'100, Tensor{3});
  for (const size_t m : {0, 1, 1'023, 1'024, 1'025, 1'099}) tensors[m].bytes = kFrom + 1 + m;
  make(tensors, 16);
  expect_encryption();
  expect_shared_as_one(false);
}

/// A warp on bit planes prepares counters for as many groups at a time as it has lanes, and does so again for
/// those that follow.
TEST_P(ListedPlans, HaveSlotsOfMoreGroupsThanAreCountedAtOnce) {
  make({{1'100'000}}, 16);
  expect_encryption();
  expect_shared_as_one(true);
  if (has_bit_planes()) {
    EXPECT_GT(plan().groups_per_sliced_slot, kWarpLanes);
  }
}

/// Of one engine, as so many messages take time, and the host decides for all engines alike.
class ListedPlansOfOneEngine : public EmulatedListed {};

/// With more messages there is no plan, as one thread block would be too long at it.
TEST_P(ListedPlansOfOneEngine, HaveNoMoreMessagesThanOneThreadBlockLooksAt) {
  std::vector<Tensor> tensors(kMostListed + 1, Tensor{0});
  tensors.back().bytes = kFrom + 1;
  make(tensors, 16, {.step = 0});
  expect_encryption();
  EXPECT_NE(plan().groups, groups_of_all());
}

INSTANTIATE_TEST_SUITE_P(Tables, ListedPlans, engines_with_lists(), name_of_engine);
INSTANTIATE_TEST_SUITE_P(Tables, ListedPlansOfOneEngine, ::testing::ValuesIn(emulated_engines().first(1)),
                         name_of_engine);

}  // namespace
}  // namespace warpaes::core::listed
