// One measurement: samples, and the proof that what was timed was the right computation.
#pragma once

#include <optional>
#include <string>

#include "bounds.hpp"
#include "nvml.hpp"
#include "place.hpp"
#include "samples.hpp"

namespace warpaes::core::bench {

struct Result {
  Workload workload;
  core::Direction direction;
  const char* place;
  const EngineInfo* engine;
  unsigned threads;  // of the CPU, for engines that work in host memory; else 0
  unsigned samples;
  unsigned repeats;  // calls in each sample
  Spread gb_per_s;
  double microseconds = 0;  // a call, the median
  std::optional<Bound> bound;
  std::optional<int> clock_mhz;         // of the GPU's multiprocessors, right after the last sample
  const char* clock_held_by = nullptr;  // Nvml::clock_held_by() then
  std::string oracle;                   // the engine that the whole output was compared with
  std::string mismatch;                 // what was wrong with the output; empty: verified
  bool verified() const { return mismatch.empty(); }
};

/// Loads the place, warms up, takes the samples, each on poisoned output, and compares what the last one
/// left with the oracle's: all of the output, all tags, all statuses. Fills in workload, direction,
/// place, engine, samples, repeats, gb_per_s, microseconds, clock_mhz, clock_held_by, oracle and mismatch.
/// @param samples 0: as many as fit into some seconds, 3 to 9
/// @param gpu null for CPU engines
Result measure(Place& place, const Dataset& dataset, core::Direction direction, unsigned samples,
               const Nvml* gpu);

/// What is wrong with an outcome; empty if it is right.
std::string mismatch_in(const Outcome& outcome, const Dataset& dataset, core::Direction direction);

}  // namespace warpaes::core::bench
