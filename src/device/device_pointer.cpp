#include <cuda.h>

#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes::core {
namespace {

using AttributeOfPointer = CUresult(CUDAAPI*)(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);

/// The driver's cuPointerGetAttribute, which tells where an allocation begins and ends. The runtime does not.
/// Null if there is no such driver.
AttributeOfPointer attribute_of_pointer() noexcept {
  static const AttributeOfPointer function = [] {
    constexpr const char* kName = "cuPointerGetAttribute";
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion(kName, &found, 12000, cudaEnableDefault, &result);
#else
    const cudaError_t error = cudaGetDriverEntryPoint(kName, &found, cudaEnableDefault, &result);
#endif
    if (error != cudaSuccess) cudaGetLastError();
    const bool is_there = error == cudaSuccess && result == cudaDriverEntryPointSuccess;
    return is_there ? reinterpret_cast<AttributeOfPointer>(found) : nullptr;
  }();
  return function;
}

bool is_page_locked(uintptr_t address) noexcept {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, reinterpret_cast<const void*>(address)) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

/// Is all of it in the allocation, or the registration, in which it begins?
bool is_in_one_piece(uintptr_t address, uint64_t bytes) noexcept {
  const AttributeOfPointer attribute = attribute_of_pointer();
  if (attribute == nullptr) return is_page_locked(address + bytes - 1);
  CUdeviceptr start = 0;
  size_t size = 0;
  if (attribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) != CUDA_SUCCESS ||
      attribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS) {
    return false;
  }
  const uint64_t before = address - start;
  return address >= start && before <= size && bytes <= size - before;
}

}  // namespace

Status device_pointer_status(const void* pointer, int device) {
  enter_cuda();
  cudaPointerAttributes attributes = {};
  check(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return attributes.device == device ? WARPAES_OK : WARPAES_ERROR_MEMORY_SPACE;
    case cudaMemoryTypeManaged:
      return WARPAES_OK;
    default:
      return WARPAES_ERROR_MEMORY_SPACE;
  }
}

bool is_pinned(const void* host_pointer, uint64_t bytes) noexcept {
  const auto address = reinterpret_cast<uintptr_t>(host_pointer);
  return cuda_alive() && is_page_locked(address) && (bytes <= 1 || is_in_one_piece(address, bytes));
}

}  // namespace warpaes::core
