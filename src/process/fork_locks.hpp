// Locks that a fork leaves usable. A child of fork() has a copy of every lock of the process, but only the
// thread that forked: a lock that another thread held at that moment would stay locked in the child for ever,
// and what it guards could be half changed. So a handler takes all locks of this file before the fork and
// releases them behind it, in parent and child.
#pragma once

#include <mutex>

namespace warpaes::core {

/// The lock of an object. There is a fixed number of locks, which objects share, so that a fork costs the
/// same however many keys there are. Two objects may have the same lock. So a thread may hold only one at a
/// time, and only for a short time, without work on messages or calls of CUDA.
std::mutex& fork_safe_mutex(const void* object);

/// The lock of the secret memory (secret_memory.hpp), which may be taken while one of the others is held.
std::mutex& secret_memory_mutex();

/// The number of forks between this process and the one that loaded the library. Threads that were started
/// under another number do not exist in this process.
unsigned fork_generation() noexcept;

/// Throws HOST_MEMORY if the handlers could not be registered when the library was loaded.
void require_fork_handlers();

}  // namespace warpaes::core
