#include "device_calls.hpp"

namespace warpaes::core::testing {

/// As many messages run the same kernels as five times as many. Three rounds have as many threads at work at
/// once as twenty: a workspace that all AEAD calls share is found with three.
Extent extent_of_tests() {
  return {.longest_message = 70'001, .messages = 46, .messages_of_key = 46, .rounds = 3};
}

}  // namespace warpaes::core::testing
