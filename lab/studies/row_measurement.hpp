// Measures one row of a study. Each function loads the place, warms up, works on poisoned output, and
// compares what it has left with OpenSSL's result.
#pragma once

#include "benchmarks/place.hpp"
#include "lab/studies/energy_meter.hpp"
#include "lab/studies/study_lines.hpp"

namespace warpaes::core::lab {

/// Samples of one call, or of many if calls are short, and their median.
Measured measure_row(bench::Place& place, const bench::Dataset& dataset, Direction direction);

/// For latencies, a sample is one call. There are at least this many samples.
inline constexpr unsigned kFewestLatencies = 200;
Measured measure_latency(bench::Place& place, const bench::Dataset& dataset, Direction direction);

/// Repeats calls for some seconds, and reads the energy.
Measured measure_energy(bench::Place& place, const bench::Dataset& dataset, Direction direction,
                        EnergyAccount& account);

/// The percentile by the nearest-rank method: the smallest sample that `share` of all samples do not exceed.
/// @param sorted ascending, not empty
double percentile(std::span<const double> sorted, double share);

}  // namespace warpaes::core::lab
