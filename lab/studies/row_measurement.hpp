// One row of a study measured: each way loads the place, warms up, works on poisoned output, and compares
// what was left with OpenSSL's.
#pragma once

#include "benchmarks/place.hpp"
#include "lab/studies/energy_meter.hpp"
#include "lab/studies/study_lines.hpp"

namespace warpaes::core::lab {

/// Samples of many calls, if they are short, and their median.
Measured measure_row(bench::Place& place, const bench::Dataset& dataset, Direction direction);

/// A sample is one call. There are at least so many.
inline constexpr unsigned kFewestLatencies = 200;
Measured measure_latency(bench::Place& place, const bench::Dataset& dataset, Direction direction);

/// Calls one after the other, for some seconds.
Measured measure_energy(bench::Place& place, const bench::Dataset& dataset, Direction direction,
                        EnergyAccount& account);

/// The nearest-rank method: the least sample that `share` of them do not exceed.
/// @param sorted ascending, not empty
double percentile(std::span<const double> sorted, double share);

}  // namespace warpaes::core::lab
