// A small allocator of the library's own. OpenSSL's secure heap would be one for the whole process, which is
// not for a library to set up. Blocks of a few sizes are cut from chunks of 64 KiB; larger ones have pages of
// their own.
#include "process/secret_memory.hpp"

#include <openssl/crypto.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "failure.hpp"
#include "process/fork_locks.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace warpaes::core {
namespace {

constexpr size_t kChunkBytes = size_t{64} << 10;
constexpr size_t kSmallestBlock = 64, kLargestBlock = size_t{16} << 10;
constexpr size_t kClasses = std::bit_width(kLargestBlock / kSmallestBlock);

// The address sanitizer watches the heap and not this memory: it is told which bytes are in use, and where
// pointers to the heap may lie.
#if defined(__SANITIZE_ADDRESS__)
void note_used(void* memory, size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(memory, bytes); }
void note_unused(void* memory, size_t bytes) { ASAN_POISON_MEMORY_REGION(memory, bytes); }
void note_mapped(void* memory, size_t bytes) { __lsan_register_root_region(memory, bytes); }
void note_unmapped(void* memory, size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  __lsan_unregister_root_region(memory, bytes);
}
#else
void note_used(void*, size_t) {}
void note_unused(void*, size_t) {}
void note_mapped(void*, size_t) {}
void note_unmapped(void*, size_t) {}
#endif

void unmap(void* memory, size_t bytes) noexcept {
  note_unmapped(memory, bytes);
  munmap(memory, bytes);
}

/// Maps pages of zeros. They are not marked MADV_WIPEONFORK, as a child of fork() may go on with its parent's
/// keys.
void* map_pages(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  try {
    keep_out_of_core_dumps(memory, bytes);
  } catch (const Failure&) {
    munmap(memory, bytes);
    throw;
  }
  note_mapped(memory, bytes);
  return memory;
}

/// Larger blocks hold messages rather than keys. They would use up the limit for locked memory or, where
/// there is none, the machine's RAM.
constexpr size_t kMostLockedBytes = size_t{1} << 20;

/// Locks memory as far as RLIMIT_MEMLOCK allows, and each page when it is first used.
void lock_if_allowed(void* memory, size_t bytes) noexcept {
  if (bytes > kMostLockedBytes) return;
  const int error = errno;
  if (mlock2(memory, bytes, MLOCK_ONFAULT) != 0) errno = error;
}

/// A block that nobody uses. Everything behind the pointer is zero.
struct FreeBlock {
  FreeBlock* next;
};

/// It lies at the start of its 64 KiB, which are aligned to 64 KiB, so it can be found from any of its
/// blocks.
struct alignas(kSmallestBlock) Chunk {
  Chunk *next, *previous;  // neighbours among the chunks of this block size that have room
  FreeBlock* free;         // blocks that have been given back
  size_t block_bytes;
  uint32_t used;         // how many blocks are in use
  uint32_t never_given;  // where the blocks begin that have never been used

  bool is_full() const { return free == nullptr && never_given + block_bytes > kChunkBytes; }
};

Chunk* chunk_of(void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  return reinterpret_cast<Chunk*>(address / kChunkBytes * kChunkBytes);
}

/// Chunks with room, by class of size; secret_memory_mutex() guards them.
constinit std::array<Chunk*, kClasses> with_room{};

size_t class_of(size_t bytes) {
  return bytes <= kSmallestBlock ? 0 : std::bit_width((bytes - 1) / kSmallestBlock);
}

void link(Chunk* chunk) {
  Chunk*& first = with_room[class_of(chunk->block_bytes)];
  chunk->previous = nullptr;
  chunk->next = first;
  if (first != nullptr) first->previous = chunk;
  first = chunk;
}

void unlink(Chunk* chunk) {
  (chunk->previous == nullptr ? with_room[class_of(chunk->block_bytes)] : chunk->previous->next) =
      chunk->next;
  if (chunk->next != nullptr) chunk->next->previous = chunk->previous;
}

/// Maps twice as much as is needed, and gives back what lies outside the aligned part.
Chunk* map_chunk(size_t block_bytes) {
  auto* const pages = static_cast<uint8_t*>(map_pages(2 * kChunkBytes));
  const size_t before = (kChunkBytes - reinterpret_cast<uintptr_t>(pages) % kChunkBytes) % kChunkBytes;
  note_unmapped(pages, 2 * kChunkBytes);
  if (before != 0) munmap(pages, before);
  uint8_t* const aligned = pages + before;
  munmap(aligned + kChunkBytes, kChunkBytes - before);
  note_mapped(aligned, kChunkBytes);
  lock_if_allowed(aligned, kChunkBytes);
  note_unused(aligned + sizeof(Chunk), kChunkBytes - sizeof(Chunk));
  return new (aligned) Chunk{nullptr, nullptr, nullptr, block_bytes, 0, sizeof(Chunk)};
}

void* take_block(size_t bytes) {
  const size_t block_bytes = kSmallestBlock << class_of(bytes);
  const std::lock_guard lock(secret_memory_mutex());
  Chunk* chunk = with_room[class_of(bytes)];
  if (chunk == nullptr) link(chunk = map_chunk(block_bytes));
  void* block = chunk->free;
  if (block != nullptr) {
    note_used(block, std::max(bytes, sizeof(FreeBlock)));
    chunk->free = chunk->free->next;
    static_cast<FreeBlock*>(block)->next = nullptr;
  } else {
    block = reinterpret_cast<uint8_t*>(chunk) + chunk->never_given;
    chunk->never_given += static_cast<uint32_t>(block_bytes);
    note_used(block, bytes);
  }
  chunk->used++;
  if (chunk->is_full()) unlink(chunk);
  return block;
}

/// Gives a block back. Of each size, one chunk without users is kept.
void give_back_block(void* block) noexcept {
  const std::lock_guard lock(secret_memory_mutex());
  Chunk* const chunk = chunk_of(block);
  if (chunk->is_full()) link(chunk);
  note_used(block, sizeof(FreeBlock));
  chunk->free = new (block) FreeBlock{chunk->free};
  note_unused(block, chunk->block_bytes);
  if (--chunk->used != 0 || (chunk->next == nullptr && chunk->previous == nullptr)) return;
  unlink(chunk);
  unmap(chunk, kChunkBytes);
}

}  // namespace

size_t whole_pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > SIZE_MAX - page) throw std::bad_alloc();
  return (bytes + page - 1) / page * page;
}

void keep_out_of_core_dumps(void* memory, size_t bytes) {
  if (madvise(memory, bytes, MADV_DONTDUMP) == 0) return;
  // It takes another one of the mappings that a process may have, if that of its neighbours is not like it.
  const int error = errno;
  throw Failure(error == EAGAIN || error == ENOMEM ? WARPAES_ERROR_HOST_MEMORY : WARPAES_ERROR_INTERNAL,
                "memory cannot be kept out of core dumps: {}", std::strerror(error));
}

void* secret_allocate(size_t bytes) {
  if (bytes <= kLargestBlock) return take_block(bytes);
  void* const memory = map_pages(whole_pages(bytes));
  lock_if_allowed(memory, whole_pages(bytes));
  return memory;
}

void secret_free(void* memory, size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (bytes != 0) OPENSSL_cleanse(memory, bytes);
  if (bytes <= kLargestBlock) {
    give_back_block(memory);
  } else {
    unmap(memory, whole_pages(bytes));
  }
}

}  // namespace warpaes::core
