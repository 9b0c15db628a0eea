#include "lab/studies/row_measurement.hpp"

#include <algorithm>
#include <cmath>

#include "benchmarks/measurement.hpp"

namespace warpaes::lab {
namespace {

// Many rows, so less time for each than `warpaes bench` takes.
constexpr double kShortestSample = 1e-3, kWarmUp = 0.03, kSecondsOfSamples = 0.3;
constexpr unsigned kFewestSamples = 3, kMostSamples = 9, kMostRepeats = 1000;
struct Plan {
  unsigned samples, repeats;
};

Plan plan_for(double seconds) {
  const double repeats = std::clamp(std::ceil(kShortestSample / seconds), 1.0, 1.0 * kMostRepeats);
  const double samples =
      std::clamp(kSecondsOfSamples / (seconds * repeats), 1.0 * kFewestSamples, 1.0 * kMostSamples);
  return {static_cast<unsigned>(samples) | 1, static_cast<unsigned>(repeats)};
}

}  // namespace

Measured measure_row(bench::Place& place, const bench::Dataset& dataset, Direction direction) {
  place.load(dataset, direction);
  place.poison();
  double seconds = 0, spent = 0;
  while (spent < kWarmUp) {
    seconds = place.run(1);
    spent += seconds;
  }
  const Plan plan = plan_for(seconds);
  Measured measured;
  measured.samples = plan.samples;
  measured.repeats = plan.repeats;
  measured.seconds = bench::spread_of(plan.samples, [&] {
    place.poison();
    return place.run(plan.repeats);
  });
  measured.mismatch = bench::mismatch_in(place.fetch(), dataset, direction);
  return measured;
}

}  // namespace warpaes::lab
