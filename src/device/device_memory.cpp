#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes {
namespace {

size_t whole_pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// For destructors, which have nobody to tell.
void forget(cudaError_t result) noexcept {
  if (result != cudaSuccess) cudaGetLastError();
}

}  // namespace

DeviceBuffer::DeviceBuffer(int device, size_t bytes) : device_(device), size_(bytes) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes),
        fmt::format("cudaMalloc of {} bytes on device {}", bytes, device).c_str());
  data_ = static_cast<uint8_t*>(memory);
}

DeviceBuffer::~DeviceBuffer() {
  if (!data_ || !cuda_alive()) return;
  try {
    const DeviceScope scope(device_);
    // cudaMemset runs on the default stream, which our non-blocking streams do not wait for, and
    // cudaFree waits for all: nothing may still be writing here when the wipe starts.
    forget(cudaDeviceSynchronize());
    // What cannot be wiped (a capture of this thread's may forbid it) is better lost than handed on.
    const cudaError_t wiped = cudaMemset(data_, 0, size_);
    forget(wiped);
    if (wiped == cudaSuccess) forget(cudaFree(data_));
  } catch (const Failure&) {  // the device is lost, and its memory with it
  }
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

PinnedBuffer::PinnedBuffer(int device, size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  void* memory = nullptr;
  const size_t pages = whole_pages(bytes);  // whole pages, as madvise works on them
  const cudaError_t result = cudaHostAlloc(&memory, pages, cudaHostAllocPortable);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Failure(WARPAES_ERROR_HOST_MEMORY, fmt::format("no {} bytes of pinned host memory", bytes));
  }
  check(result, "cudaHostAlloc");
  if (madvise(memory, pages, MADV_DONTDUMP) != 0) {
    const int error = errno;
    forget(cudaFreeHost(memory));
    throw Failure(WARPAES_ERROR_INTERNAL,
                  fmt::format("pinned memory cannot be kept out of core dumps: {}", std::strerror(error)));
  }
  data_ = static_cast<uint8_t*>(memory);
}

PinnedBuffer::~PinnedBuffer() {
  if (!data_) return;
  OPENSSL_cleanse(data_, size_);
  if (cuda_alive()) forget(cudaFreeHost(data_));
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace warpaes
