#include "samples.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace warpaes::bench {

double warm_up(const Sample& sample) {
  const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  double seconds = 0;
  do {
    seconds = sample();
  } while (std::chrono::steady_clock::now() < enough);
  return seconds;
}

Spread spread_of(unsigned samples, const Sample& sample) {
  std::vector<double> seconds(samples);
  std::generate(seconds.begin(), seconds.end(), sample);
  std::sort(seconds.begin(), seconds.end());
  const size_t middle = samples / 2;
  const double median = samples % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {seconds.front(), median, seconds.back()};
}

}  // namespace warpaes::bench
