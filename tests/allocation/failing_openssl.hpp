// OpenSSL's memory, of which any allocation can fail. A program that includes this has it from its start.
#pragma once

#include <openssl/crypto.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace warpaes::core::testing {

/// OpenSSL's allocations, the n-th of which fails.
class FailingOpenSsl {
 public:
  static void fail_at(int64_t n) { until_failure = n; }
  /// @return has it happened?
  static bool stop() { return until_failure.exchange(-1) < -1; }

  /// False if OpenSSL had allocated before.
  static const bool planted;

 private:
  static bool fails_now() {
    int64_t left = until_failure.load();
    if (left < 0) return false;
    until_failure = left == 0 ? -2 : left - 1;
    return left == 0;
  }
  static void* allocate(size_t bytes, const char*, int) { return fails_now() ? nullptr : std::malloc(bytes); }
  static void* reallocate(void* memory, size_t bytes, const char*, int) {
    return fails_now() ? nullptr : std::realloc(memory, bytes);
  }
  static void release(void* memory, const char*, int) { std::free(memory); }

  static inline std::atomic<int64_t> until_failure = -1;  // -1: never; -2: it has happened
};

inline const bool FailingOpenSsl::planted = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

}  // namespace warpaes::core::testing
