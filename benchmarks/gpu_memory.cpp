#include "gpu_memory.hpp"

#include <cuda_runtime_api.h>

#include "cuda_error.hpp"

namespace warpaes::bench {
namespace {

void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind way, Stream stream) {
  if (bytes != 0) check(cudaMemcpyAsync(to, from, bytes, way, stream), "cudaMemcpyAsync");
}

}  // namespace

DeviceScope::DeviceScope(int device) {
  check(cudaGetDevice(&callers_), "cudaGetDevice");
  check(cudaSetDevice(device), "cudaSetDevice");
}

DeviceScope::~DeviceScope() { (void)cudaSetDevice(callers_); }

uint8_t* device_memory(int device, size_t bytes) {
  const DeviceScope scope(device);
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return static_cast<uint8_t*>(memory);
}

uint8_t* pinned_memory(int device, size_t bytes) {
  const DeviceScope scope(device);
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes), "cudaMallocHost");
  return static_cast<uint8_t*>(memory);
}

void free_device_memory(uint8_t* memory) { (void)cudaFree(memory); }
void free_pinned_memory(uint8_t* memory) { (void)cudaFreeHost(memory); }

OwnedStream::OwnedStream(int device) {
  const DeviceScope scope(device);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

OwnedStream::~OwnedStream() { (void)cudaStreamDestroy(stream_); }

void copy_to_device(void* to, const void* from, size_t bytes, Stream stream) {
  copy(to, from, bytes, cudaMemcpyHostToDevice, stream);
}
void copy_to_host(void* to, const void* from, size_t bytes, Stream stream) {
  copy(to, from, bytes, cudaMemcpyDeviceToHost, stream);
}
void copy_on_device(void* to, const void* from, size_t bytes, Stream stream) {
  copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

void fill_device(void* to, uint8_t value, size_t bytes, Stream stream) {
  if (bytes != 0) check(cudaMemsetAsync(to, value, bytes, stream), "cudaMemsetAsync");
}

void synchronize(Stream stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

}  // namespace warpaes::bench
