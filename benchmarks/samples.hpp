// Repeated measurements, and what is reported of them.
#pragma once

#include <functional>

namespace warpaes::bench {

struct Spread {
  double min, median, max;
};

/// One measurement: its time in seconds.
using Sample = std::function<double()>;

/// Runs the sample for at least 0.2 s and at least once, so that clocks are high, kernels loaded and memory
/// mapped.
/// @return the last time that was measured
double warm_up(const Sample& sample);

/// @param samples at least 1
Spread spread_of(unsigned samples, const Sample& sample);

}  // namespace warpaes::bench
