#include "counted_allocations.hpp"

#include <cstdlib>
#include <new>

#include "posing.hpp"

namespace {

thread_local uint64_t counted = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (!warpaes::core::Posing::is_under_way()) counted++;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The others of the standard library call these.
void* operator new(std::size_t bytes) { return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace warpaes::core::testing {

uint64_t counted_allocations() { return counted; }

}  // namespace warpaes::core::testing
