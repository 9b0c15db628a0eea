// How the warps that share a message add up what each of them has computed of its part.
//
// A warp publishes its part's sums in the caller's workspace and counts itself as arrived. The warp that
// finds that all others have arrived collects the sums. The sums depend on the key: two sums of GHASH are
// polynomials with H as a common root, and whoever finds H can forge tags. So the last warp clears all that
// it has collected, and nothing stays in the workspace, whichever mode shares a message.
#pragma once

#include "kernels/warp/ghash.hpp"

namespace warpaes::core {

/// @tparam Count how many sums a part has
template <uint32_t Count>
struct PartSums {
  uint32_t* arrivals;  // how many of the message's warps have arrived: zero before the launch and after it
  Gf128* sums;         // Count for each part
  uint32_t parts;

  /// To be called by all lanes of a warp, with the same shares in all of them.
  /// @param shares those of this warp's part; in the last warp to arrive, they become the sums over all parts
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
