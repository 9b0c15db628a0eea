// Owners of what CUDA gives out. Nothing here needs a GPU or a driver to be linked or loaded; without one,
// device_count() is 0 and all other calls throw NO_DEVICE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "failure.hpp"
#include "warpaes/context.h"

struct CUevent_st;  // what CUDA's cudaEvent_t points to

namespace warpaes::core {

using Stream = warpaes_stream;

/// Number of devices; 0 without a driver, and then `*reason` says what CUDA said.
int device_count(std::string* reason = nullptr);

warpaes_device_info device_info(int device);

/// Throws NO_DEVICE, naming the devices that there are, unless `device` is one of them.
void require_device(int device);

/// False once an error has destroyed CUDA's state in this process, or in a child forked after GPU use:
/// then every further GPU call fails at once, and automatic choice goes to the CPU.
bool cuda_alive() noexcept;

/// Is this process a child of one that had used the GPU? What CUDA has made is the parent's then.
bool cuda_is_the_parents() noexcept;

/// OK if a kernel on `device` may be given this pointer; MEMORY_SPACE for host memory of any kind, and for
/// memory of another device. The pointer is looked up in the driver's tables, which is allowed while a stream
/// is captured.
Status device_pointer_status(const void* pointer, int device);

/// Can CUDA copy from and to this host memory directly? Not if it only begins in page-locked memory, nor if
/// it was registered piece by piece. False without a GPU.
bool is_pinned(const void* host_pointer, uint64_t bytes) noexcept;

/// Makes a device current in its scope, and restores afterwards what the thread had before: another device,
/// or none if it had used none so far. While another device is current, CUDA refuses copies to and from this
/// one's memory, if that is of a memory pool. Outside any scope most calls of CUDA give a thread that has
/// used no device a context of device 0.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int callers_ = 0;
  bool changed_ = false, pushed_ = false;
};

/// Device memory, wiped before it is freed, or else not freed. Throws DEVICE_MEMORY if there is not enough.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Memory for work on any stream. Freeing it waits for all work on the device.
  DeviceBuffer(int device, size_t bytes);
  /// Memory for work on one stream, which must exist until this buffer is gone. Freeing it is work on that
  /// stream as well, and nobody waits, neither the caller nor other streams. Where CUDA has no memory pools,
  /// the caller waits for the stream.
  DeviceBuffer(int device, size_t bytes, Stream stream);

  uint8_t* data() const { return data_.get(); }
  size_t size() const { return data_ == nullptr ? 0 : data_.get_deleter().bytes; }

 private:
  /// Which call frees the memory, and in which order with other work.
  enum class Origin { any_stream, one_stream, pool };

  struct WipeAndFree {
    int device;
    size_t bytes;
    Origin origin;
    Stream stream;
    void operator()(uint8_t* memory) const noexcept;
  };
  using Owner = std::unique_ptr<uint8_t, WipeAndFree>;
  Owner data_;
};

/// Host memory that the GPU copies from and to at full speed; kept out of core dumps, wiped before it
/// is freed. CUDA shares it with a child of fork(), which does not get a copy: only the process that made it
/// wipes and frees it.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(int device, size_t bytes);

  uint8_t* data() const { return data_.get(); }
  size_t size() const { return data_ == nullptr ? 0 : data_.get_deleter().bytes; }

 private:
  struct WipeAndFree {
    int device;
    size_t bytes;
    void operator()(uint8_t* memory) const noexcept;
  };
  using Owner = std::unique_ptr<uint8_t, WipeAndFree>;
  Owner data_;
};

/// A non-blocking stream.
class OwnedStream {
 public:
  explicit OwnedStream(int device);
  Stream get() const { return stream_.get(); }

 private:
  struct Destroy {
    int device;
    void operator()(Stream stream) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<Stream>, Destroy> stream_;
};

/// A place in a stream's work that others wait for. The device has to be current in all calls.
class OwnedEvent {
 public:
  explicit OwnedEvent(int device);

  /// From now on the place is behind all that has been put on this stream so far.
  void record(Stream stream);
  /// What is put on this stream from now on begins when the place has been passed.
  void hold_up(Stream stream) const;
  /// Lets the thread sleep until the place has been passed, and throws what went wrong before it.
  void wait() const;

 private:
  struct Destroy {
    int device;
    void operator()(CUevent_st* event) const noexcept;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

// These copies are done in the order of the stream, whose device must be current. Host memory may be
// pageable, which is slower, or pinned.
void copy_to_device(void* device_to, const void* host_from, size_t bytes, Stream stream);
void copy_to_host(void* host_to, const void* device_from, size_t bytes, Stream stream);
void fill_device(void* device_to, uint8_t value, size_t bytes, Stream stream);

/// Rows of `bytes` bytes, one stride apart on either side. What lies between the rows is not touched.
struct Rows {
  uint64_t count;
  uint64_t bytes;
};
void copy_rows_to_device(void* device_to, uint64_t device_stride, const void* host_from, uint64_t host_stride,
                         Rows rows, Stream stream);
void copy_rows_to_host(void* host_to, uint64_t host_stride, const void* device_from, uint64_t device_stride,
                       Rows rows, Stream stream);

/// Throws unless work on this stream runs on `device`. CUDA would otherwise run it on the stream's device,
/// where the caller's memory is out of reach, and that destroys CUDA's state in the process. It lets pass
/// what CUDA cannot tell: a stream that is being captured, and any stream with a driver older than CUDA 12.8.
void require_stream_of(int device, Stream stream);

/// Throws CAPTURE if the stream is being captured: to wait for it would end the capture.
void require_not_captured(Stream stream);

/// Waits for the stream, whose device must be current, and throws what went wrong on it.
void synchronize(Stream stream);

}  // namespace warpaes::core
