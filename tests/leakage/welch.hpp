// Welch's t-test, as test vector leakage assessment uses it (Goodwill, Jun, Jaffe, Rohatgi 2011): could two
// sets of times have the same mean?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpaes::core::leakage {

/// Beyond this, two means differ: by chance one test in 150,000 says so wrongly.
constexpr double kThreshold = 4.5;

/// Times slower than this share of all are interrupts and the like, and hide small differences.
constexpr double kKeptShare = 0.95;

struct Moments {
  size_t count;
  double mean, variance;  // of the sample: divided by count - 1
};

/// One pass, without the cancellation of a sum of squares (Welford 1962).
Moments moments_of(std::span<const double> times);

/// (mean a - mean b) / sqrt(variance a / count a + variance b / count b). Two times or more in each; 0 if
/// nothing varies and the means are equal, infinite if nothing varies and they are not.
double welch_t(const Moments& a, const Moments& b);

/// What one experiment found.
struct Comparison {
  Moments first, second;
  double t;               // of all times
  double t_cropped;       // of those below the kept share's quantile of both sets together
  double difference;      // of the cropped means, first - second
  double standard_error;  // of that
  double detectable;      // a difference that would have been seen
  bool differs() const;   // by either t
};

/// Is one experiment's difference another's? Their quotient of difference and standard error, as a t.
double t_between(const Comparison& one, const Comparison& other);

/// @param first,second in nanoseconds or any other unit, in which the result is as well; in any order
Comparison compare(std::span<const double> first, std::span<const double> second);

}  // namespace warpaes::core::leakage
