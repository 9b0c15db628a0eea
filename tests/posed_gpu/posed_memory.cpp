#include "posed_memory.hpp"

#include <cuda.h>

#include <map>
#include <mutex>

#include "posed_contexts.hpp"

namespace warpaes::core::posed {
namespace {

std::mutex mutex;                                               // of the list
auto& allocations = *new std::map<const uint8_t*, Allocation>;  // static objects may free theirs after all

/// The driver's cuPointerGetAttribute, as far as the library asks it.
CUresult range_of_pointer(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const auto found = allocation_of(reinterpret_cast<const void*>(pointer));
  if (!found) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
    *static_cast<size_t*>(data) = found->bytes;
  } else {
    *static_cast<CUdeviceptr*>(data) = reinterpret_cast<CUdeviceptr>(found->first);
  }
  return CUDA_SUCCESS;
}

unsigned type_of(const std::optional<Allocation>& allocation) {
  if (!allocation) return 0;
  return allocation->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/// The driver's cuPointerGetAttributes, as far as the library asks it. It succeeds for memory that is not
/// CUDA's, too.
CUresult attributes_of_pointer(unsigned count, CUpointer_attribute* attributes, void** data,
                               CUdeviceptr pointer) {
  const auto found = allocation_of(reinterpret_cast<const void*>(pointer));
  for (unsigned i = 0; i < count; i++) {
    if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      *static_cast<int*>(data[i]) = found ? found->device : -2;
    } else {
      *static_cast<unsigned*>(data[i]) = type_of(found);
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

void put_on_list(const void* memory, size_t bytes, cudaMemoryType type) {
  const auto* const first = static_cast<const uint8_t*>(memory);
  const std::lock_guard lock(mutex);
  allocations[first] = {first, bytes, use_current_device(), type};
}

std::optional<Allocation> take_off_list(const void* memory) {
  const std::lock_guard lock(mutex);
  const auto found = allocations.find(static_cast<const uint8_t*>(memory));
  if (found == allocations.end()) return std::nullopt;
  const Allocation taken = found->second;
  allocations.erase(found);
  return taken;
}

size_t allocations_now() {
  const std::lock_guard lock(mutex);
  return allocations.size();
}

std::optional<Allocation> allocation_of(const void* pointer) {
  const auto* const address = static_cast<const uint8_t*>(pointer);
  const std::lock_guard lock(mutex);
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin()) return std::nullopt;
  --found;
  return address < found->first + found->second.bytes ? std::optional(found->second) : std::nullopt;
}

void* function_of_pointers(std::string_view name) {
  if (name == "cuPointerGetAttribute") return reinterpret_cast<void*>(range_of_pointer);
  if (name == "cuPointerGetAttributes") return reinterpret_cast<void*>(attributes_of_pointer);
  return nullptr;
}

}  // namespace warpaes::core::posed
