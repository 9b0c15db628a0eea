#include "pipeline/random_nonces.hpp"

#include <algorithm>

#include "failure.hpp"

namespace warpaes::core {

void RandomNonceCount::take() {
  uint64_t before = count_.load();
  do {
    if (before >= kMostRandomNonces) {
      throw Failure(WARPAES_ERROR_STATE,
                    "2^32 messages had random nonces under this key, and no more may: make a new key");
    }
  } while (!count_.compare_exchange_weak(before, before + 1));
}

void RandomNonceCount::add(uint64_t messages) {
  uint64_t before = count_.load(), after;
  do {
    after = before + std::min(messages, kMostRandomNonces - before);
  } while (!count_.compare_exchange_weak(before, after));
}

}  // namespace warpaes::core
