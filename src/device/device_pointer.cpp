#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "device/driver_function.hpp"

namespace warpaes::core {
namespace {

/// The driver's cuPointerGetAttribute, which tells where an allocation begins and ends. The runtime does not.
/// Null if there is no such driver.
auto attribute_of_pointer() noexcept {
  using Function = decltype(&cuPointerGetAttribute);
  static const auto function = driver_function<Function>("cuPointerGetAttribute");
  return function;
}

/// Does the driver say that this is the device's memory? A call on device memory asks about each of its
/// pointers, and the driver answers in a third of the time that the runtime takes. Where it says no, or
/// nothing, the runtime has the last word: it knows of managed memory, and has an error for what went wrong.
bool is_memory_of(uintptr_t address, int device) noexcept {
  using Function = decltype(&cuPointerGetAttributes);
  static const auto attributes_of = driver_function<Function>("cuPointerGetAttributes");
  if (attributes_of == nullptr) return false;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 0;
  int ordinal = -1;
  void* answers[] = {&type, &ordinal};
  return attributes_of(2, asked, answers, address) == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE &&
         ordinal == device;
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
  const auto attribute = attribute_of_pointer();
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
  if (is_memory_of(reinterpret_cast<uintptr_t>(pointer), device)) return WARPAES_OK;
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
