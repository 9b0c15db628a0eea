// Tests the allocator for keys. Its memory must be zero, aligned, separate, out of core dumps and locked; it
// must be wiped when it is freed; forks and threads must not disturb that.
#include "process/secret_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <random>
#include <thread>

#include "engines/engine.hpp"
#include "failure.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"
#include "smaps.hpp"

namespace {

/// What madvise(2) fails with; 0 if it does not.
int refusal = 0;

struct Pages {
  void* memory = nullptr;
  size_t bytes = 0;
  bool operator==(const Pages&) const = default;
};

/// What madvise(2) was last refused for, and what munmap(2) last gave back. The number of the process's
/// mappings would not tell that, as the address sanitizer makes some of its own at any time.
thread_local Pages refused, given_back;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" int __real_madvise(void* memory, size_t bytes, int advice);
extern "C" int __wrap_madvise(void* memory, size_t bytes, int advice) {
  if (refusal == 0) return __real_madvise(memory, bytes, advice);
  refused = {memory, bytes};
  errno = refusal;
  return -1;
}

extern "C" int __real_munmap(void* memory, size_t bytes);
extern "C" int __wrap_munmap(void* memory, size_t bytes) {
  given_back = {memory, bytes};
  return __real_munmap(memory, bytes);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpaes::core::testing {
namespace {

constexpr size_t kSizes[] = {0, 1, 7, 64, 65, 960, 4096, 7777, 16384, 16385, 100'000, 3 << 20};

bool all_are(const uint8_t* data, size_t bytes, uint8_t value) {
  return std::all_of(data, data + bytes, [value](uint8_t byte) { return byte == value; });
}

TEST(SecretMemory, IsZeroAlignedAndStaysOutOfCoreDumps) {
  for (const size_t bytes : kSizes) {
    SCOPED_TRACE(bytes);
    auto* const memory = static_cast<uint8_t*>(secret_allocate(bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    EXPECT_TRUE(all_are(memory, bytes, 0));
    if (bytes != 0) {
      std::fill_n(memory, bytes, uint8_t{0xa5});
      EXPECT_TRUE(mapping_of(memory).has_flag("dd"));
      EXPECT_TRUE(mapping_of(memory + bytes - 1).has_flag("dd"));
      const bool small_enough = bytes <= 1 << 20;
      EXPECT_EQ(mapping_of(memory).has_flag("lo"), small_enough && may_lock(4 << 20));
    }
    secret_free(memory, bytes);
  }
  const auto on_the_heap = std::make_unique<uint8_t>(uint8_t{1});
  EXPECT_FALSE(mapping_of(on_the_heap.get()).has_flag("dd")) << "or the flag tells nothing";
  secret_free(nullptr, 5);
}

/// Two neighbours of a chunk: the second keeps it mapped, so that the first can be looked at after it has
/// come back. Its first bytes then lead to the next free block.
TEST(SecretMemory, WhatComesBackIsWiped) {
  auto* const first = static_cast<uint8_t*>(secret_allocate(1000));
  auto* const second = static_cast<uint8_t*>(secret_allocate(1000));
  std::fill_n(first, 1000, uint8_t{0xa5});
  secret_free(first, 1000);
#if !defined(__SANITIZE_ADDRESS__)  // which calls this what it is
  EXPECT_TRUE(all_are(first + sizeof(void*), 1000 - sizeof(void*), 0));
#endif
  auto* const again = static_cast<uint8_t*>(secret_allocate(1000));
  EXPECT_EQ(again, first);
  EXPECT_TRUE(all_are(again, 1000, 0));
  secret_free(again, 1000);
  secret_free(second, 1000);
}

/// A process that has nearly as many mappings as it may have gets no more of them: it lacks memory. Whatever
/// else is refused is no such thing.
TEST(SecretMemory, IsRefusedForWantOfMemoryOrAsADefect) {
  for (const auto& [error, status] : {std::pair{EAGAIN, WARPAES_ERROR_HOST_MEMORY},
                                      {ENOMEM, WARPAES_ERROR_HOST_MEMORY},
                                      {EINVAL, WARPAES_ERROR_INTERNAL}}) {
    refused = given_back = {};
    refusal = error;
    try {
      secret_free(secret_allocate(1 << 20), 1 << 20);
      ADD_FAILURE() << "not refused";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), status) << failure.what();
    }
    refusal = 0;
    EXPECT_EQ(refused.bytes, 1u << 20);
    EXPECT_EQ(given_back, refused);
  }
}

/// Blocks of all sizes in random order, from several threads: none overlaps another.
TEST(SecretMemory, BlocksDoNotOverlap) {
  std::atomic<int> wrong = 0;
  const auto work = [&wrong](unsigned seed) {
    std::mt19937 generator(seed);
    struct Block {
      uint8_t* data;
      size_t bytes;
      uint8_t mark;
    };
    std::vector<Block> blocks;
    const auto free_one = [&](size_t index) {
      const Block block = blocks[index];
      wrong += all_are(block.data, block.bytes, block.mark) ? 0 : 1;
      secret_free(block.data, block.bytes);
      blocks[index] = blocks.back();
      blocks.pop_back();
    };
    for (int i = 0; i < 4000; i++) {
      const size_t bytes = generator() % (size_t{1} << generator() % 16);
      blocks.push_back(
          {static_cast<uint8_t*>(secret_allocate(bytes)), bytes, static_cast<uint8_t>(generator())});
      wrong += all_are(blocks.back().data, bytes, 0) ? 0 : 1;
      std::fill_n(blocks.back().data, bytes, blocks.back().mark);
      if (generator() % 2 == 0 || blocks.size() > 200) free_one(generator() % blocks.size());
    }
    while (!blocks.empty()) free_one(0);
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; seed++) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// A program that had a hundred thousand keys does not keep their memory.
TEST(SecretMemory, ChunksWithoutUsersAreGivenBack) {
  const auto mapped = [] {
    size_t bytes = 0;
    for (const Mapping& mapping : mappings())
      bytes += mapping.has_flag("dd") ? mapping.end - mapping.begin : 0;
    return bytes;
  };
  const size_t before = mapped();
  std::vector<void*> blocks(100'000);
  for (void*& block : blocks) block = secret_allocate(1000);
  EXPECT_GT(mapped(), before + 100'000'000);
  for (void* const block : blocks) secret_free(block, 1000);
  EXPECT_LE(mapped(), before + (size_t{64} << 10));
}

TEST(SecretMemory, AForkAmongAllocationsLeavesItUsable) {
  std::atomic<bool> ending = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++) {
    threads.emplace_back([&ending] {
      while (!ending) secret_free(secret_allocate(500), 500);
    });
  }
  int hung = 0;
  for (int i = 0; i < 200; i++) {
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(30);
      for (const size_t bytes : kSizes) secret_free(secret_allocate(bytes), bytes);
      _exit(0);
    }
    int result = 0;
    ASSERT_EQ(waitpid(child, &result, 0), child);
    hung += result == 0 ? 0 : 1;
  }
  ending = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(hung, 0);
}

/// Where the library's own secrets are.
TEST(SecretMemory, HoldsKeysOperationsAndHostBuffers) {
  const uint8_t raw_key[32] = {1, 2, 3};
  for (const char* engine : {"openssl", "portable/t_tables", "portable/fips197"}) {
    SCOPED_TRACE(engine);
    Context context({.engine = engine});
    const Key key(context, raw_key);
    EXPECT_TRUE(mapping_of(&key.schedule()).has_flag("dd"));
    EXPECT_TRUE(mapping_of(&key.prepared(*context.engines().front())).has_flag("dd"));
    EXPECT_EQ(mapping_of(&key.schedule()).has_flag("lo"), may_lock(4 << 20));
    const HostBuffer small(context, 32), large(context, 5 << 20);
    EXPECT_TRUE(mapping_of(small.data()).has_flag("dd"));
    EXPECT_TRUE(mapping_of(large.data()).has_flag("dd"));
    EXPECT_EQ(mapping_of(small.data()).has_flag("lo"), may_lock(4 << 20));
    EXPECT_FALSE(mapping_of(large.data()).has_flag("lo"));
    const SecretBytes held(16);
    EXPECT_TRUE(mapping_of(held.data()).has_flag("dd"));
  }
  static_assert(std::is_base_of_v<SecretObject, PartedMode> && std::is_base_of_v<SecretObject, GcmPart>);
}

}  // namespace
}  // namespace warpaes::core::testing
