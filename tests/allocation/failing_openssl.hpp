// OpenSSL's memory, of which any allocation can fail. A program that includes this has it from its start.
#pragma once

#include <openssl/crypto.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  /// Behind each allocation, to see that nobody has written there.
  static constexpr std::array<uint8_t, 64> kEnd = [] {
    std::array<uint8_t, 64> end{};
    end.fill(0xe7);
    return end;
  }();
  /// In front of each: how many bytes it has.
  static constexpr size_t kFront = alignof(std::max_align_t);

  static void* allocate(size_t bytes, const char*, int) {
    return fails_now() ? nullptr : placed(nullptr, bytes);
  }
  static void* reallocate(void* memory, size_t bytes, const char*, int) {
    if (fails_now()) return nullptr;
    require_end(memory);
    return placed(memory, bytes);
  }
  static void release(void* memory, const char*, int) {
    require_end(memory);
    if (memory != nullptr) std::free(static_cast<uint8_t*>(memory) - kFront);
  }

  static void* placed(void* before, size_t bytes) {
    uint8_t* const old = before == nullptr ? nullptr : static_cast<uint8_t*>(before) - kFront;
    auto* const memory = static_cast<uint8_t*>(std::realloc(old, kFront + bytes + kEnd.size()));
    if (memory == nullptr) return nullptr;
    std::memcpy(memory, &bytes, sizeof bytes);
    std::memcpy(memory + kFront + bytes, kEnd.data(), kEnd.size());
    return memory + kFront;
  }
  static void require_end(const void* memory) {
    if (memory == nullptr) return;
    size_t bytes = 0;
    std::memcpy(&bytes, static_cast<const uint8_t*>(memory) - kFront, sizeof bytes);
    if (std::memcmp(static_cast<const uint8_t*>(memory) + bytes, kEnd.data(), kEnd.size()) == 0) return;
    std::fputs("OpenSSL has written behind its memory\n", stderr);
    std::abort();
  }

  static inline std::atomic<int64_t> until_failure = -1;  // -1: never; -2: it has happened
};

inline const bool FailingOpenSsl::planted = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

}  // namespace warpaes::core::testing
