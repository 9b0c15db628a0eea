// Memory of the kind that an engine works on, host or device. Self-tests and tests use it, so that they can
// drive all engines alike.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "engines/engine.hpp"

namespace warpaes::core {

/// The stream that an engine's calls and its buffers share. Host engines have none.
class EngineStream {
 public:
  EngineStream(const Engine& engine, int device) : device_(device) {
    if (engine.memory == Memory::device) stream_.emplace(device);
  }
  Stream get() const { return stream_ ? stream_->get() : nullptr; }
  void wait() const {
    if (!stream_) return;
    const DeviceScope scope(device_);
    synchronize(stream_->get());
  }

 private:
  int device_;
  std::optional<OwnedStream> stream_;
};

/// Copies have been completed when the functions return.
class EngineBuffer {
 public:
  EngineBuffer(const Engine& engine, int device, const EngineStream& stream)
      : on_device_(engine.memory == Memory::device), device_(device), stream_(stream) {}

  /// Changes the size; contents are lost. Host memory is exactly `bytes` long, so that an address sanitizer
  /// sees where it ends; device memory only grows.
  void resize(size_t bytes);
  uint8_t* data() { return on_device_ ? device_memory_.data() : host_memory_.data(); }

  void fill(size_t at, uint8_t value, size_t bytes);
  void write(size_t at, std::span<const uint8_t> bytes);
  std::vector<uint8_t> read(size_t at, size_t bytes);

 private:
  bool on_device_;
  int device_;
  const EngineStream& stream_;
  DeviceBuffer device_memory_;
  std::vector<uint8_t> host_memory_;
};

}  // namespace warpaes::core
