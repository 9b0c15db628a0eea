// All that key_residue_test does with a key before it searches a GPU's memory works: it is the longest list
// of calls that there is.
#include "work_with_a_key.hpp"

#include "device_calls.hpp"

namespace warpaes::core::testing {
namespace {

TEST(WorkWithAKey, Works) {
  work_with(bytes_from(3, 32), bytes_from(4, std::min<size_t>(1 << 20, extent_of_tests().longest_message)));
}

}  // namespace
}  // namespace warpaes::core::testing
