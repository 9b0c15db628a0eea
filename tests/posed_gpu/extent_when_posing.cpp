#include "device_calls.hpp"

namespace warpaes::core::testing {

Extent extent_of_tests() { return {.longest_message = 70'001, .messages = 46}; }

}  // namespace warpaes::core::testing
