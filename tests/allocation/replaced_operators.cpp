#include "replaced_operators.hpp"

#include <cstdlib>
#include <new>

namespace replaced = warpaes::core::testing::replaced;

namespace {

constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* allocated_or_thrown(std::size_t bytes, std::size_t alignment) {
  void* const memory = replaced::allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* replaced::allocate_really(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* operator new(std::size_t bytes) { return allocated_or_thrown(bytes, kUsual); }
void* operator new[](std::size_t bytes) { return allocated_or_thrown(bytes, kUsual); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated_or_thrown(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocated_or_thrown(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return replaced::allocate(bytes, kUsual);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return replaced::allocate(bytes, kUsual);
}
void operator delete(void* memory) noexcept { replaced::release(memory); }
void operator delete[](void* memory) noexcept { replaced::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { replaced::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { replaced::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { replaced::release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { replaced::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { replaced::release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { replaced::release(memory); }
