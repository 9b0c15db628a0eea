#include "lab/studies/row_measurement.hpp"

#include <algorithm>
#include <cmath>

#include "benchmarks/measurement.hpp"

namespace warpaes::core::lab {
namespace {

// There are many rows, so each gets less time than in `warpaes bench`.
constexpr double kShortestSample = 1e-3, kWarmUp = 0.03, kSecondsOfSamples = 0.3;
constexpr unsigned kFewestSamples = 3, kMostSamples = 9, kMostRepeats = 1000;
constexpr double kSecondsOfLatencies = 0.2;
constexpr unsigned kMostLatencies = 2000;
// The warm-up lets the power rise before energy is read; a batch is what is put on the stream between two
// readings.
constexpr double kEnergyWarmUp = 0.3, kEnergyBatch = 0.02, kMostInBatch = 10000;

struct Plan {
  unsigned samples, repeats;
};

Plan plan_for(double seconds) {
  const double repeats = std::clamp(std::ceil(kShortestSample / seconds), 1.0, 1.0 * kMostRepeats);
  const double samples =
      std::clamp(kSecondsOfSamples / (seconds * repeats), 1.0 * kFewestSamples, 1.0 * kMostSamples);
  return {static_cast<unsigned>(samples) | 1, static_cast<unsigned>(repeats)};
}

/// @return the last time that was measured
double warmed_up(const bench::Sample& sample, double enough) {
  const double until = steady_seconds() + enough;
  double seconds = 0;
  do {
    seconds = sample();
  } while (steady_seconds() < until);
  return seconds;
}

}  // namespace

Measured measure_row(bench::Place& place, const bench::Dataset& dataset, Direction direction) {
  place.load(dataset, direction);
  place.poison();
  const Plan plan = plan_for(warmed_up([&] { return place.run(1); }, kWarmUp));
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

double percentile(std::span<const double> sorted, double share) {
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

Measured measure_latency(bench::Place& place, const bench::Dataset& dataset, Direction direction) {
  place.load(dataset, direction);
  place.poison();
  const double each = warmed_up([&] { return place.latency(); }, kWarmUp);
  place.poison();
  place.latency();  // waits until the poison is there
  std::vector<double> seconds(static_cast<size_t>(
      std::clamp(kSecondsOfLatencies / each, 1.0 * kFewestLatencies, 1.0 * kMostLatencies)));
  std::ranges::generate(seconds, [&] { return place.latency(); });
  std::ranges::sort(seconds);
  Measured measured;
  measured.samples = static_cast<unsigned>(seconds.size());
  measured.repeats = 1;
  measured.seconds = {seconds.front(), percentile(seconds, 0.5), seconds.back()};
  measured.seconds_p99 = percentile(seconds, 0.99);
  measured.mismatch = bench::mismatch_in(place.fetch(), dataset, direction);
  return measured;
}

Measured measure_energy(bench::Place& place, const bench::Dataset& dataset, Direction direction,
                        EnergyAccount& account) {
  const EnergyReading& idle = account.idle();
  place.load(dataset, direction);
  place.poison();
  const double each = warmed_up([&] { return place.run(1); }, kEnergyWarmUp);
  const auto repeats = static_cast<unsigned>(std::clamp(kEnergyBatch / each, 1.0, kMostInBatch));
  place.poison();
  std::vector<double> seconds;
  const EnergyReading load = read_energy(account.meter(), kEnergyWindow, [&] {
    seconds.push_back(place.run(repeats));
    return 1.0 * repeats;
  });
  Measured measured;
  measured.samples = static_cast<unsigned>(seconds.size());
  measured.repeats = repeats;
  std::ranges::sort(seconds);
  measured.seconds = {seconds.front(), percentile(seconds, 0.5), seconds.back()};
  measured.energy = energy_use(load, idle, static_cast<double>(dataset.payload_bytes()) * 1e-9);
  measured.mismatch = bench::mismatch_in(place.fetch(), dataset, direction);
  return measured;
}

}  // namespace warpaes::core::lab
