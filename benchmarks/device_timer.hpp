// Time on the GPU's own clock: CUDA events around what a stream does.
#pragma once

#include <driver_types.h>

#include <functional>

#include "device/device.hpp"

namespace warpaes::core::bench {

/// A point in a stream of the given device.
class Event {
 public:
  explicit Event(int device);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(Stream stream) const;
  /// Lets a stream wait until this point is reached.
  void delay(Stream stream) const;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

class DeviceTimer {
 public:
  explicit DeviceTimer(int device) : begun_(device), ended_(device) {}

  /// Runs `work`, which puts work on `stream`, waits for that and returns how many seconds it took on the
  /// device.
  double seconds(Stream stream, const std::function<void()>& work) const;

 private:
  Event begun_, ended_;
};

}  // namespace warpaes::core::bench
