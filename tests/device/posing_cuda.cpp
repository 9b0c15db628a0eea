#include "posing_cuda.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace warpaes::core::posing_cuda {
namespace {

struct Work : std::deque<std::function<void()>> {
  explicit Work(int of_device) : device(of_device) {}
  const int device;
};

struct Event {
  cudaStream_t on = nullptr;
};

struct State {
  Runtime runtime;
  int current_device = 0;
  std::map<void*, std::vector<uint8_t>> device_memory;
  std::map<void*, size_t> pinned_memory;
  std::vector<std::unique_ptr<Work>> streams;  // none is forgotten: a destroyed one still has its work done
};

State& state() {
  static State one;
  return one;
}

Work& work_of(cudaStream_t stream) { return *reinterpret_cast<Work*>(stream); }

void do_all(Work& work) {
  for (; !work.empty(); work.pop_front()) work.front()();
}

size_t dirty_bytes(const uint8_t* data, size_t bytes) {
  return bytes - static_cast<size_t>(std::count(data, data + bytes, 0));
}

void* allocate(size_t bytes) {
  std::vector<uint8_t> memory(bytes, 0xdd);  // as another program has left it
  void* const address = memory.data();
  state().device_memory.emplace(address, std::move(memory));
  state().runtime.device_bytes += bytes;
  return address;
}

void release(void* address) {
  const auto found = state().device_memory.find(address);
  state().runtime.dirty_bytes_freed += dirty_bytes(found->second.data(), found->second.size());
  state().runtime.device_bytes -= found->second.size();
  state().device_memory.erase(found);
}

}  // namespace

Runtime& runtime() { return state().runtime; }

void reset() {
  const int pools = state().runtime.pools_made;  // the library keeps them
  state() = {};
  state().runtime.pools_made = pools;
}

void catch_up() {
  for (const auto& stream : state().streams) do_all(*stream);
}

size_t waiting() {
  size_t all = 0;
  for (const auto& stream : state().streams) all += stream->size();
  return all;
}

}  // namespace warpaes::core::posing_cuda

using namespace warpaes::core::posing_cuda;

extern "C" {

cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorPosing"; }
const char* cudaGetErrorString(cudaError_t) { return "as the test wanted it"; }

/// A driver that has none of the functions that it is asked for.
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  *function = nullptr;
  *result = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = state().current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  state().current_device = device;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMemoryPoolsSupported && runtime().has_pools ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  runtime().device_waits++;
  catch_up();
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  *memory = allocate(bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  runtime().device_waits++;
  catch_up();
  release(memory);
  return cudaSuccess;
}

/// On the default stream, for which non-blocking streams do not wait, nor it for them.
cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  if (runtime().memset_fails) return cudaErrorInvalidValue;
  std::memset(memory, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  static int somewhere = 0;
  if (properties->location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  runtime().pools_made++;
  *pool = reinterpret_cast<cudaMemPool_t>(&somewhere);
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t, cudaStream_t) {
  *memory = allocate(bytes);
  return cudaSuccess;
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  work_of(stream).push_back([memory] { release(memory); });
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  if (runtime().memset_fails || work_of(stream).device != state().current_device)
    return cudaErrorInvalidValue;
  work_of(stream).push_back([=] { std::memset(memory, value, bytes); });
  return cudaSuccess;
}

/// Memory of a pool is out of other devices' reach.
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  if (work_of(stream).device != state().current_device) return cudaErrorInvalidValue;
  work_of(stream).push_back([=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind,
                              cudaStream_t) {
  return cudaErrorNotSupported;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(
      state().streams.emplace_back(std::make_unique<Work>(state().current_device)).get());
  return cudaSuccess;
}

/// CUDA does what waits on it first, and nobody waits for that.
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  runtime().stream_waits++;
  do_all(work_of(stream));
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Event*>(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  reinterpret_cast<Event*>(event)->on = stream;
  return cudaSuccess;
}

/// More than CUDA does: it waits for all that the other stream has.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  work_of(stream).push_back([on = reinterpret_cast<Event*>(event)->on] { do_all(work_of(on)); });
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  runtime().stream_waits++;
  do_all(work_of(reinterpret_cast<Event*>(event)->on));
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  *device = work_of(stream).device;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (*memory == MAP_FAILED) return cudaErrorMemoryAllocation;
  state().pinned_memory[*memory] = bytes;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) {
  const size_t bytes = state().pinned_memory.at(memory);
  runtime().dirty_bytes_unpinned += dirty_bytes(static_cast<const uint8_t*>(memory), bytes);
  state().pinned_memory.erase(memory);
  munmap(memory, bytes);
  return cudaSuccess;
}

}  // extern "C"
