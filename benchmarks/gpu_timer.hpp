// Time on the GPU's own clock: CUDA events around what a stream does.
#pragma once

#include <driver_types.h>

#include <functional>

#include "warpaes/memory.hpp"

namespace warpaes::bench {

/// A point in a stream of the given device.
class GpuEvent {
 public:
  explicit GpuEvent(int device);
  ~GpuEvent();
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;

  void record(Stream stream) const;
  /// Lets a stream wait until this point is reached.
  void delay(Stream stream) const;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

class GpuTimer {
 public:
  explicit GpuTimer(int device) : begun_(device), ended_(device) {}

  /// Runs `work`, which puts work on `stream`, waits for that and returns how many seconds it took on the
  /// device.
  double seconds(Stream stream, const std::function<void()>& work) const;

 private:
  GpuEvent begun_, ended_;
};

}  // namespace warpaes::bench
