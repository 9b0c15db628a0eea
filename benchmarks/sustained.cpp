#include "sustained.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <thread>
#include <vector>

namespace warpaes::bench {
namespace {

/// Reads the clock all the time that it exists.
class ClockReader {
 public:
  explicit ClockReader(const Nvml* gpu)
      : thread_([this, gpu](const std::stop_token& stop) {
          while (gpu != nullptr && !stop.stop_requested()) {
            if (const auto clock = gpu->clock_mhz()) read_.push_back(*clock);
            std::this_thread::sleep_for(kPause);
          }
        }) {}

  std::optional<int> median() {
    thread_.request_stop();
    thread_.join();
    if (read_.empty()) return std::nullopt;
    const auto middle = read_.begin() + static_cast<std::ptrdiff_t>(read_.size() / 2);
    std::ranges::nth_element(read_, middle);
    return *middle;
  }

 private:
  static constexpr std::chrono::milliseconds kPause{50};

  std::vector<int> read_;
  std::jthread thread_;  // the last member, as it uses the other one
};

unsigned calls_in(double seconds, double seconds_a_call) {
  constexpr double kMost = std::numeric_limits<unsigned>::max();
  return static_cast<unsigned>(std::clamp(std::ceil(seconds / seconds_a_call), 1.0, kMost));
}

}  // namespace

Sustained sustain(Place& place, double seconds, double seconds_a_call, double gigabytes, const Nvml* gpu) {
  const unsigned calls = calls_in(seconds, seconds_a_call);
  const auto energy = [gpu] { return gpu == nullptr ? std::nullopt : gpu->energy_millijoules(); };
  ClockReader clock(gpu);
  const std::optional<uint64_t> before = energy();
  const double a_call = place.run(calls);
  const std::optional<uint64_t> after = energy();
  Sustained result{.seconds = a_call * calls, .gb_per_s = gigabytes / a_call, .clock_mhz = clock.median()};
  if (before && after) {
    const double joules = static_cast<double>(*after - *before) * 1e-3;
    result.watts = joules / result.seconds;
    result.joules_per_gb = joules / (gigabytes * calls);
  }
  return result;
}

}  // namespace warpaes::bench
