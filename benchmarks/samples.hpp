// Repeated measurements and what is told of them.
#pragma once

#include <functional>

namespace warpaes::core::bench {

struct Spread {
  double min, median, max;
};

/// One measurement: its time in seconds.
using Sample = std::function<double()>;

/// Measures for at least 0.2 s, and at least once, so that clocks are up, kernels are loaded and
/// memory is mapped.
/// @return the last time measured
double warm_up(const Sample& sample);

/// @param samples at least 1
Spread spread_of(unsigned samples, const Sample& sample);

}  // namespace warpaes::core::bench
