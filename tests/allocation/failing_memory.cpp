#include "failing_memory.hpp"

#include <atomic>
#include <cstdlib>

#include "replaced_operators.hpp"

namespace warpaes::core::testing {
namespace {

std::atomic<int64_t> until_failure = -1;  // -1: never; what is left to do so
std::atomic<bool> failed = false;
std::atomic<int64_t> not_freed = 0;

bool fails_now() {
  if (until_failure.load(std::memory_order_relaxed) < 0) return false;
  if (until_failure.fetch_sub(1) != 0) return false;
  failed = true;
  return true;
}

}  // namespace

void* replaced::allocate(std::size_t bytes, std::size_t alignment) {
  if (fails_now()) return nullptr;
  void* const memory = allocate_really(bytes, alignment);
  if (memory != nullptr) not_freed++;
  return memory;
}

void replaced::release(void* memory) {
  if (memory == nullptr) return;
  not_freed--;
  std::free(memory);
}

void FailingMemory::fail_at(int64_t n) {
  failed = false;
  until_failure = n;
}

bool FailingMemory::stop() {
  until_failure = -1;
  return failed;
}

int64_t FailingMemory::living() { return not_freed; }

}  // namespace warpaes::core::testing
