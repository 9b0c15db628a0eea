// One measurement: its samples, and the proof that what was timed computed the right result.
#pragma once

#include <optional>
#include <string>

#include "bounds.hpp"
#include "nvml.hpp"
#include "place.hpp"
#include "samples.hpp"

namespace warpaes::bench {

struct Result {
  Workload workload;
  warpaes_direction direction;
  const char* place;
  const EngineInfo* engine;
  unsigned threads;  // CPU threads, for engines that work on host memory; else 0
  size_t devices;    // that the context has
  unsigned samples;
  unsigned repeats;  // calls in each sample
  Spread gb_per_s;
  double microseconds = 0;  // of one call; the median
  std::optional<Bound> bound;
  std::optional<int> clock_mhz;         // of the GPU's multiprocessors, right after the last sample
  const char* clock_held_by = nullptr;  // Nvml::clock_held_by() at that time
  std::string oracle;                   // the engine that the whole output was compared with
  std::string mismatch;                 // what was wrong with the output; empty: verified
  bool verified() const { return mismatch.empty(); }
};

/// Loads the place, warms up, and takes the samples, each on poisoned output. Then it compares all of what
/// the last sample left with the oracle's result: output, tags and statuses. It fills in workload, direction,
/// place, engine, samples, repeats, gb_per_s, microseconds, clock_mhz, clock_held_by, oracle and mismatch.
/// @param samples 0: as many as fit into some seconds, 3 to 9
/// @param gpu null for CPU engines
Result measure(Place& place, const Dataset& dataset, warpaes_direction direction, unsigned samples,
               const Nvml* gpu);

/// Says what is wrong with an outcome; empty if it is right.
std::string mismatch_in(const Outcome& outcome, const Dataset& dataset, warpaes_direction direction);

}  // namespace warpaes::bench
