// Where a value lies on an axis, and which values have a tick.
#pragma once

#include <vector>

#include "lab/report/chart.hpp"

namespace warpaes::core::lab {

class AxisScale {
 public:
  /// @param values those that will be shown
  /// @param from, to where the axis begins and ends in the drawing
  AxisScale(const ChartAxis& axis, const std::vector<double>& values, double from, double to);

  double at(double value) const;
  std::vector<double> ticks() const;
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

 private:
  bool is_logarithmic() const { return scale_ == Scale::log || scale_ == Scale::bytes; }
  void widen();
  std::vector<double> linear_ticks() const;
  std::vector<double> power_ticks(double base) const;

  Scale scale_;
  double lowest_ = 0, highest_ = 1;
  double from_, to_;
};

/// Can such an axis show the value?
bool can_show(const ChartAxis& axis, double value);

}  // namespace warpaes::core::lab
