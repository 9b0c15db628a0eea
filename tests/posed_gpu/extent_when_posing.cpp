#include "device_calls.hpp"

namespace warpaes::core::testing {

/// Two more messages than a warp has lanes run the same kernels as the 200 that a real GPU has.
Extent extent_of_tests() {
  return {.longest_message = 70'001,
          .messages = 34,
          .messages_of_key = 34,
          .random_batches = 1500,
          .random_bytes = 1 << 16,
          .rounds = 3,
          .replays = 1};
}

}  // namespace warpaes::core::testing
