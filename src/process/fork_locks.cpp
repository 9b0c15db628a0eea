#include "process/fork_locks.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "failure.hpp"

namespace warpaes::core {
namespace {

// Constant-initialised and never destroyed, so they can be used before main() and while the process ends.
constinit std::array<std::mutex, 64> mutexes;
constinit std::mutex memory_mutex;
constinit std::atomic<unsigned> generation = 0;

/// Takes all locks in the order in which they may be held together; the lock of the secret memory is the
/// last.
void lock_all() {
  for (std::mutex& mutex : mutexes) mutex.lock();
  memory_mutex.lock();
}

void unlock_all() {
  memory_mutex.unlock();
  for (std::mutex& mutex : mutexes) mutex.unlock();
}

void unlock_all_in_child() {
  generation++;
  unlock_all();
}

const int registration_error = pthread_atfork(lock_all, unlock_all, unlock_all_in_child);

}  // namespace

std::mutex& fork_safe_mutex(const void* object) {
  // The low bits of addresses are zero or alike, so higher bits are mixed in.
  const auto address = reinterpret_cast<uintptr_t>(object);
  return mutexes[(address >> 6 ^ address >> 12) % mutexes.size()];
}

std::mutex& secret_memory_mutex() { return memory_mutex; }

unsigned fork_generation() noexcept { return generation; }

void require_fork_handlers() {
  if (registration_error == 0) return;
  throw Failure(WARPAES_ERROR_HOST_MEMORY,
                "pthread_atfork failed when the library was loaded: out of memory");
}

}  // namespace warpaes::core
