// What a benchmark needs of a GPU besides the library: memory that data lies in before it is measured,
// streams and copies. The data is random and so are its keys, so nothing is wiped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "warpaes/memory.hpp"

namespace warpaes::bench {

/// Makes a device current in its scope, and then the caller's again.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int callers_ = 0;
};

// These throw an Error with WARPAES_ERROR_DEVICE_MEMORY if there is not enough.
uint8_t* device_memory(int device, size_t bytes);
uint8_t* pinned_memory(int device, size_t bytes);
void free_device_memory(uint8_t* memory);
void free_pinned_memory(uint8_t* memory);

template <uint8_t* (*Allocate)(int, size_t), void (*Free)(uint8_t*)>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  CudaBuffer(int device, size_t bytes) : data_(Allocate(device, bytes)), size_(bytes) {}

  uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  struct Deleter {
    void operator()(uint8_t* memory) const { Free(memory); }
  };
  std::unique_ptr<uint8_t, Deleter> data_;
  size_t size_ = 0;
};

using DeviceBuffer = CudaBuffer<device_memory, free_device_memory>;
/// Host memory that a GPU copies from and to at full speed.
using PinnedBuffer = CudaBuffer<pinned_memory, free_pinned_memory>;

/// A non-blocking stream.
class OwnedStream {
 public:
  explicit OwnedStream(int device);
  ~OwnedStream();
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;

  Stream get() const { return stream_; }

 private:
  Stream stream_ = nullptr;
};

// In the order of the stream, on the stream's device.
void copy_to_device(void* to, const void* from, size_t bytes, Stream stream);
void copy_to_host(void* to, const void* from, size_t bytes, Stream stream);
void copy_on_device(void* to, const void* from, size_t bytes, Stream stream);
void fill_device(void* to, uint8_t value, size_t bytes, Stream stream);

/// Waits for the stream, and throws what went wrong on it.
void synchronize(Stream stream);

}  // namespace warpaes::bench
