// Tests the statistic on data whose result is known, on times that were made to differ, and on times that
// were not.
#include "welch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace warpaes::core::leakage {
namespace {

constexpr size_t kCount = 20'000;

/// Times as a GPU's are: a normal distribution, and one in a hundred late by much.
std::vector<double> times(unsigned seed, double mean, double spread = 50) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> noise(mean, spread);
  std::vector<double> made(kCount);
  for (double& time : made) time = noise(generator) + (generator() % 100 == 0 ? generator() % 100'000 : 0);
  return made;
}

/// Three small samples, worked out by hand: means 3 and 6, variances 2.5 and 2.5; 3 and 3 of equal times.
TEST(Welch, KnownAnswers) {
  const std::vector<double> low = {1, 2, 3, 4, 5}, high = {4, 5, 6, 7, 8}, few = {2, 4, 12};
  const Moments a = moments_of(low), b = moments_of(high), c = moments_of(few);
  EXPECT_DOUBLE_EQ(a.mean, 3);
  EXPECT_DOUBLE_EQ(a.variance, 2.5);
  EXPECT_DOUBLE_EQ(welch_t(a, b), -3);  // -3 / sqrt(2.5 / 5 + 2.5 / 5)
  EXPECT_DOUBLE_EQ(welch_t(b, a), 3);
  EXPECT_DOUBLE_EQ(c.variance, 28);
  EXPECT_DOUBLE_EQ(welch_t(a, c), -3 / std::sqrt(0.5 + 28.0 / 3));  // unequal counts and variances
}

TEST(Welch, WithoutVarianceOnlyEqualMeansAreEqual) {
  const std::vector<double> fives(9, 5), sixes(4, 6);
  EXPECT_EQ(compare(fives, fives).t, 0);
  EXPECT_FALSE(compare(fives, fives).differs());
  EXPECT_EQ(welch_t(moments_of(fives), moments_of(sixes)), -INFINITY);
  EXPECT_TRUE(compare(fives, sixes).differs());
}

TEST(Welch, LargeTimesDoNotCancel) {
  std::vector<double> shifted = {1e15 + 1, 1e15 + 2, 1e15 + 3};
  EXPECT_DOUBLE_EQ(moments_of(shifted).variance, 1);
}

TEST(Welch, ADifferenceIsFoundAndNoneIsNot) {
  for (unsigned seed = 0; seed < 20; seed++) {
    EXPECT_FALSE(compare(times(seed, 15'000), times(seed + 1000, 15'000)).differs()) << seed;
    const Comparison found = compare(times(seed, 15'000), times(seed + 1000, 15'006));
    EXPECT_TRUE(found.differs()) << seed;
    EXPECT_LT(found.t_cropped, -kThreshold) << "the second is slower";
  }
}

/// Late times hide a difference from the plain t: that is what cropping is for.
TEST(Welch, CroppingFindsWhatLateTimesHide) {
  const Comparison found = compare(times(1, 15'000), times(2, 15'006));
  EXPECT_LT(std::abs(found.t), kThreshold);
  EXPECT_GT(std::abs(found.t_cropped), kThreshold);
  EXPECT_LT(found.detectable, 6);
}

TEST(Welch, ADifferenceOfTheLateTimesAloneIsFound) {
  std::vector<double> usual = times(3, 15'000), later = times(4, 15'000);
  for (size_t i = 0; i < kCount; i += 50) later[i] += 100'000;
  const Comparison found = compare(usual, later);
  EXPECT_GT(std::abs(found.t), kThreshold);
  EXPECT_TRUE(found.differs());
}

/// Two kernels that are both 20 ns slower for one set do not differ in that; one that is 30 ns slower does.
TEST(Welch, DifferencesAreComparedWithEachOther) {
  const Comparison copy = compare(times(7, 9'000), times(8, 9'020));
  const Comparison same = compare(times(9, 15'000), times(10, 15'020));
  const Comparison more = compare(times(11, 15'000), times(12, 15'030));
  EXPECT_NEAR(same.difference, -20, 4);
  EXPECT_LT(std::abs(t_between(same, copy)), kThreshold);
  EXPECT_GT(std::abs(t_between(more, copy)), kThreshold);
  EXPECT_TRUE(same.differs());
}

TEST(Welch, TheOrderOfTimesDoesNotMatter) {
  std::vector<double> a = times(5, 100), b = times(6, 101);
  const double t = compare(a, b).t_cropped;
  std::ranges::sort(a);
  std::ranges::reverse(b);
  EXPECT_NEAR(compare(a, b).t_cropped, t, 1e-9);
}

}  // namespace
}  // namespace warpaes::core::leakage
