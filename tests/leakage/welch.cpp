#include "welch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpaes::core::leakage {
namespace {

/// One limit for both sets, or cropping would itself make a difference.
double quantile_of_both(std::span<const double> first, std::span<const double> second, double share) {
  std::vector<double> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  const auto at = both.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(both.size() - 1));
  std::nth_element(both.begin(), at, both.end());
  return *at;
}

std::vector<double> up_to(std::span<const double> times, double limit) {
  std::vector<double> kept;
  std::ranges::copy_if(times, std::back_inserter(kept), [limit](double time) { return time <= limit; });
  return kept;
}

double standard_error(const Moments& a, const Moments& b) {
  return std::sqrt(a.variance / static_cast<double>(a.count) + b.variance / static_cast<double>(b.count));
}

}  // namespace

Moments moments_of(std::span<const double> times) {
  Moments moments{0, 0, 0};
  for (const double time : times) {
    moments.count++;
    const double delta = time - moments.mean;
    moments.mean += delta / static_cast<double>(moments.count);
    moments.variance += delta * (time - moments.mean);
  }
  moments.variance = moments.count < 2 ? 0 : moments.variance / static_cast<double>(moments.count - 1);
  return moments;
}

double welch_t(const Moments& a, const Moments& b) {
  const double difference = a.mean - b.mean, error = standard_error(a, b);
  if (error > 0) return difference / error;
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

bool Comparison::differs() const { return !(std::abs(t) < kThreshold && std::abs(t_cropped) < kThreshold); }

Comparison compare(std::span<const double> first, std::span<const double> second) {
  const double limit = quantile_of_both(first, second, kKeptShare);
  const Moments a = moments_of(first), b = moments_of(second);
  const Moments a_cropped = moments_of(up_to(first, limit)), b_cropped = moments_of(up_to(second, limit));
  const double error = standard_error(a_cropped, b_cropped);
  return {a,
          b,
          welch_t(a, b),
          welch_t(a_cropped, b_cropped),
          a_cropped.mean - b_cropped.mean,
          error,
          kThreshold * error};
}

double t_between(const Comparison& one, const Comparison& other) {
  return (one.difference - other.difference) / std::hypot(one.standard_error, other.standard_error);
}

}  // namespace warpaes::core::leakage
