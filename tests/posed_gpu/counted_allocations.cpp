#include "counted_allocations.hpp"

#include <cstdlib>
#include <new>

#include "posing.hpp"

namespace {

thread_local uint64_t counted = 0;

/// @return null if there is no memory
void* allocate(std::size_t bytes, std::size_t alignment) {
  if (!warpaes::core::Posing::is_under_way()) counted++;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

// All forms, as the address sanitizer has its own of those that are left out.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, kUsual); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, kUsual); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace warpaes::core::testing {

uint64_t counted_allocations() { return counted; }

}  // namespace warpaes::core::testing
