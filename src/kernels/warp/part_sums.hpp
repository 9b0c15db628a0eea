// How the warps that share a message add up what each of them has made of its part.
//
// A warp publishes its part's sums in the caller's workspace and counts itself in. The warp that finds all
// others counted in collects the sums. What the sums tell depends on the key: two sums of GHASH have H as a
// common root, and whoever finds H can forge tags. So the last warp clears all that it has collected, and
// nothing stays in the workspace, whichever mode shares a message.
#pragma once

#include "kernels/warp/ghash.hpp"

namespace warpaes::core {

/// @tparam Count how many sums a part has
template <uint32_t Count>
struct PartSums {
  uint32_t* arrivals;  // of the message's warps: zero before the launch, and after it
  Gf128* sums;         // Count a part
  uint32_t parts;

  /// All lanes of a warp call, with the same shares of the part in all of them.
  /// @param shares of the part; in the last warp to come, they become the sums over all parts
  /// @return is this the last warp?
  template <class Thread>
  WARPAES_HOST_DEVICE bool hand_in(Thread& thread, uint32_t part, Gf128 (&shares)[Count]) const {
    if (thread.lane() == 0) {
      WARPAES_UNROLL
      for (uint32_t i = 0; i < Count; i++) thread.publish(sums + Count * part + i, shares[i]);
    }
    if (thread.arrive(arrivals) != parts - 1) return false;
    WARPAES_UNROLL
    for (uint32_t i = 0; i < Count; i++) shares[i] = {0, 0};
    for (uint32_t other = thread.lane(); other < parts; other += kWarpLanes) {
      WARPAES_UNROLL
      for (uint32_t i = 0; i < Count; i++) {
        Gf128* const sum = sums + Count * other + i;
        shares[i] = shares[i] ^ thread.collect(sum);
        thread.publish(sum, {0, 0});
      }
    }
    WARPAES_UNROLL
    for (uint32_t i = 0; i < Count; i++) shares[i] = exclusive_or_of_lanes(thread, shares[i]);
    if (thread.lane() == 0) *arrivals = 0;
    return true;
  }
};

}  // namespace warpaes::core
