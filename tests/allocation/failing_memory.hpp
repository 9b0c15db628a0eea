// An operator new for the whole process that can be told to fail once, at its n-th call from then on.
#pragma once

#include <cstdint>

namespace warpaes::core::testing {

class FailingMemory {
 public:
  /// Lets the n-th allocation from now on fail, in whichever thread it is; 0 is the next one.
  static void fail_at(int64_t n);
  /// No more failures. @return has the one that was ordered happened?
  static bool stop();
  /// Allocations that have not been freed.
  static int64_t living();
};

}  // namespace warpaes::core::testing
