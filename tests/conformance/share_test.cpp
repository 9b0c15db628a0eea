// A run in several processes must find what a run in one process finds.
#include <gtest/gtest.h>

#include "conformance_run.hpp"

namespace warpaes::core::conformance {
namespace {

EngineUnderTest one_engine() {
  std::vector<EngineUnderTest> all = engines_under_test();
  const auto found =
      std::find_if(all.begin(), all.end(), [](const auto& each) { return each.name() == "openssl/evp"; });
  found->largest = 300;
  return *found;
}

Scorecard generated(Share share) {
  ConformanceRun run({one_engine()}, 0, true, nullptr, share);
  run.run_generated();
  return run.scores();
}

TEST(Share, EachCaseIsTakenOnce) {
  Share shares[3] = {{0, 3}, {1, 3}, {2, 3}};
  for (int number = 0; number < 10; number++) {
    int taken = 0;
    for (Share& share : shares) taken += share.takes_next() ? 1 : 0;
    EXPECT_EQ(taken, 1);
  }
}

TEST(Share, ProcessesFindWhatOneFinds) {
  const Scorecard alone = generated({}), together = in_processes(3, generated);
  EXPECT_GT(alone.passed(), 1000u);
  EXPECT_EQ(together.to_json(), alone.to_json());
}

TEST(Share, FailuresAreAddedToo) {
  const Scorecard scores = in_processes(2, [](Share share) {
    Scorecard card({"an engine"}, nullptr);
    card.pass(0, "ecb", 128, 5);
    card.skip(0, "ecb", 128, "a reason");
    if (!share.is_first()) card.fail(0, "ecb", 128, "wrong");
    return card;
  });
  EXPECT_EQ(scores.passed(), 10u);
  EXPECT_EQ(scores.skipped(), 2u);
  EXPECT_EQ(scores.failed(), 1u);
  EXPECT_EQ(scores.first_failure(0, "ecb", 128), "wrong");
}

TEST(Share, AProcessThatDiesIsAnError) {
  EXPECT_THROW(in_processes(2,
                            [](Share share) -> Scorecard {
                              if (!share.is_first()) abort();
                              return Scorecard({"an engine"});
                            }),
               std::runtime_error);
  EXPECT_THROW(in_processes(1, [](Share) -> Scorecard { throw std::runtime_error("a file is missing"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace warpaes::core::conformance
