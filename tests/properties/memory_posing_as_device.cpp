#include "memory_posing_as_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "device/device.hpp"

namespace warpaes::core {
namespace posing {
namespace {

std::mutex mutex;
std::map<uint8_t*, size_t> buffers;

size_t dirty_in(const uint8_t* data, size_t bytes) {
  return bytes - static_cast<size_t>(std::count(data, data + bytes, 0));
}

}  // namespace

Device& device() {
  static Device one;
  return one;
}

void count_engine_call() {
  const std::lock_guard lock(mutex);
  device().engine_calls++;
}

bool is_device_memory(const void* pointer, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto* const first = static_cast<const uint8_t*>(pointer);
  return std::any_of(buffers.begin(), buffers.end(), [&](const auto& buffer) {
    return first >= buffer.first && first + bytes <= buffer.first + buffer.second;
  });
}

size_t dirty_bytes() {
  const std::lock_guard lock(mutex);
  size_t dirty = 0;
  for (const auto& [data, bytes] : buffers) dirty += dirty_in(data, bytes);
  return dirty;
}

namespace {

void copy(void* to, const void* from, size_t bytes) {
  {
    const std::lock_guard lock(mutex);
    int& left = device().copies_until_failure;
    if (left == 0) throw Failure(WARPAES_ERROR_CUDA, "this copy was meant to fail");
    if (left > 0) left--;
  }
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace
}  // namespace posing

using posing::buffers;
using posing::mutex;

int device_count(std::string*) { return 1; }
warpaes_device_info device_info(int) { return {}; }
void require_device(int device) {
  if (device != 0) throw Failure(WARPAES_ERROR_NO_DEVICE, "only device 0 is posed as");
}
bool cuda_alive() noexcept { return true; }
Status device_pointer_status(const void* pointer, int) {
  return posing::is_device_memory(pointer, 1) ? WARPAES_OK : WARPAES_ERROR_MEMORY_SPACE;
}
bool is_pinned(const void*) noexcept { return false; }

DeviceBuffer::DeviceBuffer(int device, size_t bytes) : DeviceBuffer(device, bytes, nullptr) {}

DeviceBuffer::DeviceBuffer(int device, size_t bytes, Stream) : device_(device), size_(bytes) {
  const std::lock_guard lock(mutex);
  posing::Device& posed = posing::device();
  if (bytes > posed.memory_limit - std::min(posed.memory_used, posed.memory_limit)) {
    throw Failure(WARPAES_ERROR_DEVICE_MEMORY, fmt::format("no {} bytes", bytes));
  }
  data_ = new uint8_t[bytes]();
  posed.memory_used += bytes;
  buffers.emplace(data_, bytes);
}

DeviceBuffer::~DeviceBuffer() {
  if (!data_) return;
  const std::lock_guard lock(mutex);
  posing::device().dirty_bytes_freed += posing::dirty_in(data_, size_);
  posing::device().memory_used -= size_;
  buffers.erase(data_);
  delete[] data_;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

PinnedBuffer::PinnedBuffer(int, size_t bytes) : data_(new uint8_t[bytes]()), size_(bytes) {}
PinnedBuffer::~PinnedBuffer() {
  if (data_) posing::device().dirty_bytes_unpinned += posing::dirty_in(data_, size_);
  delete[] data_;
}
PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

OwnedStream::OwnedStream(int) {}
OwnedStream::~OwnedStream() = default;
OwnedStream::OwnedStream(OwnedStream&&) noexcept {}
OwnedStream& OwnedStream::operator=(OwnedStream&&) noexcept { return *this; }

void copy_to_device(void* to, const void* from, size_t bytes, Stream) { posing::copy(to, from, bytes); }
void copy_to_host(void* to, const void* from, size_t bytes, Stream) { posing::copy(to, from, bytes); }
void fill_device(void* to, uint8_t value, size_t bytes, Stream) { std::memset(to, value, bytes); }

void copy_rows_to_device(void* to, uint64_t to_stride, const void* from, uint64_t from_stride, Rows rows,
                         Stream) {
  for (uint64_t i = 0; i < rows.count; i++) {
    posing::copy(static_cast<uint8_t*>(to) + i * to_stride,
                 static_cast<const uint8_t*>(from) + i * from_stride, rows.bytes);
  }
}
void copy_rows_to_host(void* to, uint64_t to_stride, const void* from, uint64_t from_stride, Rows rows,
                       Stream stream) {
  copy_rows_to_device(to, to_stride, from, from_stride, rows, stream);
}
void synchronize(Stream) {}

}  // namespace warpaes::core
