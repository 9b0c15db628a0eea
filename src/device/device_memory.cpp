#include <fmt/format.h>
#include <openssl/crypto.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <utility>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "process/secret_memory.hpp"

namespace warpaes::core {
namespace {

size_t whole_pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// For destructors, which cannot report an error to anybody.
bool succeeds(cudaError_t result) noexcept {
  if (result != cudaSuccess) cudaGetLastError();
  return result == cudaSuccess;
}

void forget(cudaError_t result) noexcept { static_cast<void>(succeeds(result)); }

uint8_t* at_once(int device, size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes),
        fmt::format("cudaMalloc of {} bytes on device {}", bytes, device).c_str());
  return static_cast<uint8_t*>(memory);
}

uint8_t* in_order(int device, size_t bytes, cudaMemPool_t pool, Stream stream) {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream),
        fmt::format("cudaMallocFromPoolAsync of {} bytes on device {}", bytes, device).c_str());
  return static_cast<uint8_t*>(memory);
}

cudaMemPool_t make_pool(int device) noexcept {
  int has_pools = 0;
  forget(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
  if (has_pools == 0) return nullptr;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;  // "on the device"; there is no other
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location = {.type = cudaMemLocationTypeDevice, .id = device};
  cudaMemPool_t pool = nullptr;
  return succeeds(cudaMemPoolCreate(&pool, &properties)) ? pool : nullptr;
}

/// The memory pool of a device, or null where there is none. It is the library's own, as the application may
/// have set up the default pool to be shared with other processes. It has CUDA's default threshold: free
/// memory goes back to the system when a stream is next waited for. It is never destroyed, because the memory
/// of static objects may outlive any other static object.
cudaMemPool_t pool_of(int device) {
  static std::mutex mutex;
  static auto* const pools = new std::map<int, cudaMemPool_t>;
  const std::lock_guard lock(mutex);
  cudaMemPool_t& pool = (*pools)[device];
  if (pool == nullptr) pool = make_pool(device);
  return pool;
}

}  // namespace

DeviceBuffer::DeviceBuffer(int device, size_t bytes) : device_(device), size_(bytes) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  data_ = at_once(device, bytes);
}

DeviceBuffer::DeviceBuffer(int device, size_t bytes, Stream stream)
    : device_(device), size_(bytes), stream_(stream) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  cudaMemPool_t pool = pool_of(device);
  origin_ = pool == nullptr ? Origin::one_stream : Origin::pool;
  data_ = pool == nullptr ? at_once(device, bytes) : in_order(device, bytes, pool, stream);
}

DeviceBuffer::~DeviceBuffer() {
  if (!data_ || !cuda_alive()) return;
  try {
    const DeviceScope scope(device_);
    const BesideCaptures allowed;
    // cudaMemset runs on the default stream, which our non-blocking streams do not wait for: nothing may
    // still be writing here when the wipe starts.
    if (origin_ == Origin::any_stream) forget(cudaDeviceSynchronize());
    const bool wiped = origin_ == Origin::any_stream ? succeeds(cudaMemset(data_, 0, size_))
                                                     : succeeds(cudaMemsetAsync(data_, 0, size_, stream_));
    // Memory that cannot be wiped is better lost than handed on.
    if (!wiped) return;
    if (origin_ == Origin::pool) {
      forget(cudaFreeAsync(data_, stream_));
    } else if (origin_ == Origin::any_stream || succeeds(cudaStreamSynchronize(stream_))) {
      forget(cudaFree(data_));
    }
  } catch (const Failure&) {  // the device is lost, and its memory with it
  }
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(origin_, other.origin_);
  std::swap(stream_, other.stream_);
  return *this;
}

PinnedBuffer::PinnedBuffer(int device, size_t bytes) : device_(device), size_(bytes) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  void* memory = nullptr;
  const size_t pages = whole_pages(bytes);  // whole pages, as madvise works on them
  const cudaError_t result = cudaHostAlloc(&memory, pages, cudaHostAllocPortable);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Failure(WARPAES_ERROR_HOST_MEMORY, fmt::format("no {} bytes of pinned host memory", bytes));
  }
  check(result, "cudaHostAlloc");
  try {
    keep_out_of_core_dumps(memory, pages);
  } catch (const Failure&) {
    forget(cudaFreeHost(memory));
    throw;
  }
  data_ = static_cast<uint8_t*>(memory);
}

PinnedBuffer::~PinnedBuffer() {
  if (!data_ || cuda_is_the_parents()) return;
  OPENSSL_cleanse(data_, size_);  // also when the GPU has been lost
  if (!cuda_alive()) return;
  try {
    const DeviceScope scope(device_);
    const BesideCaptures allowed;
    forget(cudaFreeHost(data_));
  } catch (const Failure&) {  // the device is lost, and its memory with it
  }
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : device_(other.device_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace warpaes::core
