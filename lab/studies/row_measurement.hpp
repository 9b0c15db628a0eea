#pragma once

#include "benchmarks/place.hpp"
#include "lab/studies/study_lines.hpp"

namespace warpaes::lab {

/// Warms up, takes samples on poisoned output, and compares what the last one left with OpenSSL's.
Measured measure_row(bench::Place& place, const bench::Dataset& dataset, Direction direction);

}  // namespace warpaes::lab
