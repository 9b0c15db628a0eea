// The memory of the posed CUDA: a list of what was allocated or registered, and of which kind it is.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpaes::core::posed {

struct Allocation {
  const uint8_t* first;
  size_t bytes;
  int device;
  cudaMemoryType type;
};

/// Puts memory of the thread's current device on the list.
void put_on_list(const void* memory, size_t bytes, cudaMemoryType type);
/// @return what was taken off; nothing if no allocation begins there
std::optional<Allocation> take_off_list(const void* memory);
/// How many there are.
size_t allocations_now();
/// The allocation that the pointer is in.
std::optional<Allocation> allocation_of(const void* pointer);

/// The driver's functions that tell of pointers. Null for a name that is none of them.
void* function_of_pointers(std::string_view name);

}  // namespace warpaes::core::posed
