// What the hardware can do, each limit measured by a kernel or a copy that does nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "device_timer.hpp"

namespace warpaes::bench {

/// Streams and memory that the limits are measured with.
struct LimitSetup {
  explicit LimitSetup(int device);

  int blocks;  // that fill the GPU several times over
  OwnedStream stream, second_stream;
  Event begun, ended;  // of work on the second stream
  DeviceBuffer device_from, device_to;
  PinnedBuffer host_from, host_to;
};

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
  std::optional<double> value;  // empty: start() returned 0
};

/// The whole table, each value the median of `samples` after a warm-up.
std::vector<MeasuredLimit> measure_limits(int device, unsigned samples);

}  // namespace warpaes::bench
