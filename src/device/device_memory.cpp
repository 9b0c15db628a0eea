#include <fmt/format.h>
#include <openssl/crypto.h>

#include <map>
#include <mutex>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "process/secret_memory.hpp"

namespace warpaes::core {
namespace {

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

DeviceBuffer::DeviceBuffer(int device, size_t bytes) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  data_ = Owner(at_once(device, bytes), {device, bytes, Origin::any_stream, nullptr});
}

DeviceBuffer::DeviceBuffer(int device, size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  cudaMemPool_t pool = pool_of(device);
  data_ = pool == nullptr
              ? Owner(at_once(device, bytes), {device, bytes, Origin::one_stream, stream})
              : Owner(in_order(device, bytes, pool, stream), {device, bytes, Origin::pool, stream});
}

void DeviceBuffer::WipeAndFree::operator()(uint8_t* memory) const noexcept {
  if (!cuda_alive()) return;
  try {
    const DeviceScope scope(device);
    const BesideCaptures allowed;
    // cudaMemset runs on the default stream, which our non-blocking streams do not wait for: nothing may
    // still be writing here when the wipe starts.
    if (origin == Origin::any_stream) forget(cudaDeviceSynchronize());
    const bool wiped = origin == Origin::any_stream ? succeeds(cudaMemset(memory, 0, bytes))
                                                    : succeeds(cudaMemsetAsync(memory, 0, bytes, stream));
    // Memory that cannot be wiped is better lost than handed on.
    if (!wiped) return;
    if (origin == Origin::pool) {
      forget(cudaFreeAsync(memory, stream));
    } else if (origin == Origin::any_stream || succeeds(cudaStreamSynchronize(stream))) {
      forget(cudaFree(memory));
    }
  } catch (const Failure&) {  // the device is lost, and its memory with it
  }
}

PinnedBuffer::PinnedBuffer(int device, size_t bytes) {
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
  data_ = Owner(static_cast<uint8_t*>(memory), {device, bytes});
}

void PinnedBuffer::WipeAndFree::operator()(uint8_t* memory) const noexcept {
  if (cuda_is_the_parents()) return;
  OPENSSL_cleanse(memory, bytes);  // also when the GPU has been lost
  if (!cuda_alive()) return;
  try {
    const DeviceScope scope(device);
    const BesideCaptures allowed;
    forget(cudaFreeHost(memory));
  } catch (const Failure&) {  // the device is lost, and its memory with it
  }
}

}  // namespace warpaes::core
