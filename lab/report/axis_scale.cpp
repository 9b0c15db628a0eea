#include "lab/report/axis_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/size_text.hpp"

namespace warpaes::core::lab {
namespace {

constexpr int kMostTicks = 8;

/// 1, 2 or 5 times a power of ten, so that at most kMostTicks such steps cover `range`.
double round_step(double range) {
  const double least = range / (kMostTicks - 1);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

/// The number with three digits.
std::string number_text(double value) {
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  if (exponent < -4 || exponent > 9) return fmt::format("{:.3g}", value);
  const int decimals = std::max(0, 2 - exponent);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals == 0) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

bool can_show(const ChartAxis& axis, double value) {
  if (!std::isfinite(value)) return false;
  switch (axis.scale) {
    case Scale::linear:
      return true;
    case Scale::category:
      return value >= 0 && value < static_cast<double>(axis.names.size());
    case Scale::bytes:
      return value > 0 && value < 0x1p64;
    default:
      return value > 0;
  }
}

std::string value_text(const ChartAxis& axis, double value) {
  if (!can_show(axis, value)) return "–";
  if (axis.scale == Scale::category) return axis.names[static_cast<size_t>(value)];
  if (axis.scale == Scale::bytes) return bench::size_text(static_cast<uint64_t>(value));
  return number_text(value);
}

AxisScale::AxisScale(const ChartAxis& axis, const std::vector<double>& values, double from, double to)
    : scale_(axis.scale), from_(from), to_(to) {
  if (scale_ == Scale::category) {
    lowest_ = -0.5;
    highest_ = std::max<double>(static_cast<double>(axis.names.size()), 1) - 0.5;
    return;
  }
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    lowest_ = *low;
    highest_ = *high;
  } else if (is_logarithmic()) {
    lowest_ = 1;
    highest_ = 10;
  }
  widen();
}

/// Widens the range to round ends, and so that it is not empty.
void AxisScale::widen() {
  if (scale_ == Scale::log) {
    lowest_ = std::pow(10, std::floor(std::log10(lowest_)));
    highest_ = std::pow(10, std::ceil(std::log10(highest_)));
    if (highest_ <= lowest_) highest_ = lowest_ * 10;
  } else if (scale_ == Scale::bytes) {
    if (highest_ <= lowest_) highest_ = lowest_ * 2;
  } else {
    lowest_ = std::min(lowest_, 0.0);
    if (highest_ <= lowest_) highest_ = lowest_ + 1;
    const double step = round_step(highest_ - lowest_);
    lowest_ = std::floor(lowest_ / step) * step;
    highest_ = std::ceil(highest_ / step) * step;
  }
}

double AxisScale::at(double value) const {
  const auto place = [this](double v) { return is_logarithmic() ? std::log(v) : v; };
  const double share = (place(value) - place(lowest_)) / (place(highest_) - place(lowest_));
  return from_ + share * (to_ - from_);
}

std::vector<double> AxisScale::linear_ticks() const {
  const double step = round_step(highest_ - lowest_);
  std::vector<double> ticks;
  const auto steps = static_cast<int>(std::lround((highest_ - lowest_) / step));
  for (int i = 0; i <= steps; i++) ticks.push_back(lowest_ + i * step);
  return ticks;
}

std::vector<double> AxisScale::power_ticks(double base) const {
  const auto power_of = [base](double v) { return std::log(v) / std::log(base); };
  constexpr double kAlmost = 1e-9;  // 3 - 1e-16 counts as the third power
  const int first = static_cast<int>(std::ceil(power_of(lowest_) - kAlmost));
  const int last = static_cast<int>(std::floor(power_of(highest_) + kAlmost));
  const int step = std::max(1, (last - first + kMostTicks - 1) / kMostTicks);
  std::vector<double> ticks;
  for (int power = first; power <= last; power += step) ticks.push_back(std::pow(base, power));
  return ticks;
}

std::vector<double> AxisScale::ticks() const {
  switch (scale_) {
    case Scale::linear:
      return linear_ticks();
    case Scale::log:
      return power_ticks(10);
    case Scale::bytes:
      return power_ticks(2);
    default: {
      std::vector<double> ticks;
      for (int tick = 0; tick < highest_; tick++) ticks.push_back(tick);
      return ticks;
    }
  }
}

}  // namespace warpaes::core::lab
