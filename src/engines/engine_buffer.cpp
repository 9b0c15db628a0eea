#include "engines/engine_buffer.hpp"

#include <algorithm>

namespace warpaes::core {

void EngineBuffer::resize(size_t bytes) {
  if (on_device_) {
    if (device_memory_.size() < bytes) device_memory_ = DeviceBuffer(device_, bytes, stream_.get());
  } else {
    host_memory_ = std::vector<uint8_t>(bytes);
  }
}

void EngineBuffer::fill(size_t at, uint8_t value, size_t bytes) {
  write(at, std::vector<uint8_t>(bytes, value));
}

void EngineBuffer::write(size_t at, std::span<const uint8_t> bytes) {
  if (bytes.empty()) return;
  if (on_device_) {
    const DeviceScope scope(device_);
    copy_to_device(data() + at, bytes.data(), bytes.size(), stream_.get());
    stream_.wait();
  } else {
    std::copy(bytes.begin(), bytes.end(), data() + at);
  }
}

std::vector<uint8_t> EngineBuffer::read(size_t at, size_t bytes) {
  std::vector<uint8_t> copy(bytes);
  if (bytes == 0) return copy;
  if (on_device_) {
    const DeviceScope scope(device_);
    copy_to_host(copy.data(), data() + at, bytes, stream_.get());
    stream_.wait();
  } else {
    std::copy_n(data() + at, bytes, copy.begin());
  }
  return copy;
}

}  // namespace warpaes::core
