#include <cstdint>

#include "device_calls.hpp"

namespace warpaes::core::testing {

Extent extent_of_tests() {
  return {.longest_message = SIZE_MAX,
          .messages = 200,
          .messages_of_key = 1000,
          .random_batches = 1000,
          .random_bytes = 4 << 20,
          .rounds = 14,
          .replays = 2};
}

}  // namespace warpaes::core::testing
