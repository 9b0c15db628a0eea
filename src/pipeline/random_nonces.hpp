// Counts the messages that had random nonces under a key.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "failure.hpp"

namespace warpaes::core {

/// SP 800-38D section 8.3 allows 2^32 messages under a key if their nonces are random. With nonces of 96
/// bits, the chance that two of them are the same is then below 2^-32.
constexpr uint64_t kMostRandomNonces = uint64_t{1} << 32;

class RandomNonceCount {
 public:
  /// Counts one more message. Throws STATE, and counts nothing, if that would be one too many.
  void take() {
    uint64_t before = count_.load();
    do {
      if (before >= kMostRandomNonces) {
        throw Failure(WARPAES_ERROR_STATE,
                      "2^32 messages had random nonces under this key, and no more may: make a new key");
      }
    } while (!count_.compare_exchange_weak(before, before + 1));
  }

  /// Adds messages that were counted elsewhere.
  void add(uint64_t messages) {
    uint64_t before = count_.load(), after;
    do {
      after = before + std::min(messages, kMostRandomNonces - before);
    } while (!count_.compare_exchange_weak(before, after));
  }

  uint64_t count() const { return count_.load(); }

 private:
  std::atomic<uint64_t> count_ = 0;
};

}  // namespace warpaes::core
