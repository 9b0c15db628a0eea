// Memory for keys and for what is computed from them: kept out of core dumps, locked into RAM as far as the
// process's limit allows, and zeroed before it is given to anybody else. docs/design/keys-in-memory.md says
// what lies in it and what does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace warpaes::core {

/// Memory of zeros, aligned to 64 bytes. Throws std::bad_alloc if there is none, or what
/// keep_out_of_core_dumps() throws.
void* secret_allocate(size_t bytes);
/// Zeroes the memory and frees it. @param memory may be null @param bytes as many as were asked for
void secret_free(void* memory, size_t bytes) noexcept;

/// The size of as many pages as hold so many bytes. Throws std::bad_alloc if no memory can be so large.
size_t whole_pages(size_t bytes);

/// Asks the system to leave these pages out of core dumps. Throws HOST_MEMORY if it lacks memory for that,
/// and INTERNAL if it refuses.
/// @param memory,bytes whole pages
void keep_out_of_core_dumps(void* memory, size_t bytes);

/// A base for classes whose objects hold secrets: `new` takes them from the secret memory.
class SecretObject {
 public:
  static void* operator new(size_t bytes) { return secret_allocate(bytes); }
  static void operator delete(void* memory, size_t bytes) noexcept { secret_free(memory, bytes); }
};

/// An allocator for the standard library's containers.
template <class T>
class SecretAllocator {
 public:
  using value_type = T;
  SecretAllocator() = default;
  template <class Other>
  explicit(false) SecretAllocator(const SecretAllocator<Other>&) noexcept {}
  T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(secret_allocate(count * sizeof(T)));
  }
  void deallocate(T* memory, size_t count) noexcept { secret_free(memory, count * sizeof(T)); }
  friend bool operator==(const SecretAllocator&, const SecretAllocator&) { return true; }
};

using SecretBytes = std::vector<uint8_t, SecretAllocator<uint8_t>>;

/// An object in the secret memory, for classes whose objects may also lie on the stack.
template <class T>
class SecretHolder : public SecretObject {
 public:
  template <class... Arguments>
  explicit SecretHolder(Arguments&&... arguments) : held(std::forward<Arguments>(arguments)...) {}
  const T held;
};

}  // namespace warpaes::core
