#include "device_calls.hpp"

namespace warpaes::core::testing {

/// As many messages run the same kernels as five times as many.
Extent extent_of_tests() {
  return {.longest_message = 70'001,
          .messages = 46,
          .messages_of_key = 46,
          .random_batches = 3000,
          .random_bytes = 1 << 16,
          .rounds = 4};
}

}  // namespace warpaes::core::testing
