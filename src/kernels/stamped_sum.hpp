// What a thread block hands to another one of the same grid, in memory of which nobody knows what it held.
#pragma once

#include <cstdint>

namespace warpaes::core {

/// Half of a sum, and the stamp of the launch that it belongs to.
struct alignas(16) StampedHalf {
  uint64_t value, stamp;
};

/// A sum of GHASH that a thread block publishes in the caller's workspace. What a workspace holds before is
/// not known, and to clear it would take a launch of its own. So each half goes with the launch's stamp: a
/// number that is not 0 and that no other launch has, unless it repeats this one in a graph. Whoever takes a
/// sum clears it, because sums depend on the key, and because the next launch of the graph has this stamp.
struct StampedSum {
  StampedHalf half[2];
  /// Has the launch's stamp while the thread block may still be writing, from before its sum is there until
  /// all that it has written comes before what others write from then on.
  StampedHalf writing;
};

}  // namespace warpaes::core
