// A long run without gaps, in which a GPU becomes as warm and its clock as low as they stay: speed and
// energy.
#pragma once

#include <optional>

#include "nvml.hpp"
#include "place.hpp"

namespace warpaes::bench {

struct Sustained {
  double seconds;
  double gb_per_s;
  std::optional<double> watts = {}, joules_per_gb = {};  // of the whole GPU, by its own energy counter
  std::optional<int> clock_mhz = {};                     // of the multiprocessors: the median over the run
};

/// Repeats the call that the place has been loaded with.
/// @param seconds that the run is to last
/// @param seconds_a_call as measured before
/// @param gigabytes of payload in a call
/// @param gpu null for CPU engines
Sustained sustain(Place& place, double seconds, double seconds_a_call, double gigabytes, const Nvml* gpu);

}  // namespace warpaes::bench
