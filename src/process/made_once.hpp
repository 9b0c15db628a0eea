// A value that is made when it is first wanted, and stays until the process ends.
#pragma once

#include <atomic>
#include <memory>

#include "process/fork_locks.hpp"

namespace warpaes::core {

/// A static variable of a function would do, but for the lock that guards it while it is made: in a child of
/// fork() that came meanwhile, nobody would ever release it. Here, the fork waits, and so the child has no
/// lock either that OpenSSL or the loader took on the way. The value is never destroyed, as calls may be made
/// while the process ends.
template <class Value>
class MadeOnce {
 public:
  /// @param make () -> Value, which takes no fork_safe_mutex(), nor anything else that is made once; what it
  /// throws passes through, and the next call tries again
  template <class Make>
  const Value& get(const Make& make) {
    if (const Value* const there = value_.load()) return *there;
    const std::lock_guard lock(fork_safe_mutex(this));
    if (value_.load() == nullptr) value_ = std::make_unique<const Value>(make()).release();
    return *value_.load();
  }

 private:
  std::atomic<const Value*> value_ = nullptr;
};

}  // namespace warpaes::core
