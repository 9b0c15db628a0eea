#include "measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpaes::bench {
namespace {

/// Short calls are repeated until a sample lasts so long that starting the clock makes no difference.
constexpr double kShortestSample = 1e-3;
constexpr double kMostRepeats = 10000;

unsigned repeats_for(double seconds) {
  return static_cast<unsigned>(std::clamp(std::ceil(kShortestSample / seconds), 1.0, kMostRepeats));
}

/// As many samples as fit into some seconds. The number is odd, so that the median is one of them.
constexpr unsigned kFewestSamples = 3, kMostSamples = 9;
constexpr double kSecondsOfSamples = 3;

unsigned samples_for(double seconds_each) {
  const double fit = std::clamp(kSecondsOfSamples / seconds_each, 1.0 * kFewestSamples, 1.0 * kMostSamples);
  return static_cast<unsigned>(fit) | 1;
}

}  // namespace

std::string mismatch_in(const Outcome& outcome, const Dataset& dataset, warpaes_direction direction) {
  const uint64_t total = dataset.workload().compared_bytes(direction);
  if (outcome.output.size() != total) return fmt::format("{} bytes of {}", outcome.output.size(), total);
  if (const auto at = first_difference(outcome.output, dataset.expected_output(direction))) {
    return fmt::format("output differs from {}'s at byte {} of {}", dataset.oracle(), *at, total);
  }
  if (outcome.tags.size() != dataset.tags_bytes()) return "tags are missing";
  if (const auto at = first_difference(outcome.tags, dataset.tags())) {
    return fmt::format("tag of message {} differs from {}'s", *at / kTagBytes, dataset.oracle());
  }
  if (direction == WARPAES_DIRECTION_ENCRYPT) return {};
  const auto refused = std::ranges::find_if(outcome.statuses, [](int32_t s) { return s != WARPAES_OK; });
  if (refused == outcome.statuses.end()) return {};
  return fmt::format("message {} has status {}", refused - outcome.statuses.begin(), *refused);
}

Result measure(Place& place, const Dataset& dataset, warpaes_direction direction, unsigned samples,
               const Nvml* gpu) {
  place.load(dataset, direction);
  place.poison();
  const double seconds_a_call = warm_up([&] { return place.run(1); });
  const unsigned repeats = repeats_for(seconds_a_call);
  if (samples == 0) samples = samples_for(seconds_a_call * repeats);
  const Spread seconds = spread_of(samples, [&] {
    place.poison();
    return place.run(repeats);
  });
  const char* const clock_held_by = gpu == nullptr ? nullptr : gpu->clock_held_by();
  const std::optional<int> clock_mhz = gpu == nullptr ? std::nullopt : gpu->clock_mhz();
  const double gigabytes = static_cast<double>(dataset.payload_bytes()) * 1e-9;
  Result result{};
  result.workload = dataset.workload();
  result.direction = direction;
  result.place = place.name();
  result.engine = place.engine();
  result.samples = samples;
  result.repeats = repeats;
  result.gb_per_s = {gigabytes / seconds.max, gigabytes / seconds.median, gigabytes / seconds.min};
  result.microseconds = seconds.median * 1e6;
  result.clock_mhz = clock_mhz;
  result.clock_held_by = clock_held_by;
  result.oracle = dataset.oracle();
  result.mismatch = mismatch_in(place.fetch(), dataset, direction);
  return result;
}

}  // namespace warpaes::bench
