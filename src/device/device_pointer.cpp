#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes::core {

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

bool is_pinned(const void* host_pointer) noexcept {
  if (!cuda_alive()) return false;
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, host_pointer) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

}  // namespace warpaes::core
