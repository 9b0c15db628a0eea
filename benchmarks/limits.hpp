// What the hardware can do, each limit measured by a kernel or a copy that does nothing else.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace warpaes::bench {

struct LimitSetup;  // streams and memory that the limits are measured with

/// One row of the table of limits.
struct Limit {
  const char* name;
  const char* unit;
  const char* description;
  double scale;  // value = work / seconds * scale
  /// Starts one sample on setup.stream and returns how much work it is: operations or bytes; 0 if the
  /// GPU, or the compiler that this was built with, has no such instruction.
  double (*start)(const LimitSetup& setup);
};

std::span<const Limit> limit_table();

struct MeasuredLimit {
  const Limit* limit;
  std::optional<double> value;  // empty if start() returned 0
};

/// Measures the whole table. Each value is the median of samples after a warm-up.
std::vector<MeasuredLimit> measure_limits(int device);

}  // namespace warpaes::bench
