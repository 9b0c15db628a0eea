// How the warps that share a message add up what each of them has computed of its part.
//
// A warp publishes its part's sums in the caller's workspace and counts itself as arrived. The warp that
// finds that all others have arrived collects the sums. The sums depend on the key: a sum of GHASH, with the
// ciphertext that it is of, is the value of a known polynomial at H, and whoever finds H can forge tags. So
// the last warp clears all that it has collected, and nothing stays in the workspace, whichever mode shares a
// message.
#pragma once

#include "kernels/warp/ghash.hpp"

namespace warpaes::core {

/// The XOR over the thread block, in its first warp. All threads call, and a barrier must separate the call
/// from whatever used the memory at `sums` before.
/// @param sums room in shared memory for a sum of each warp; it holds zeros afterwards, as sums depend on the
///        key
template <class Thread>
WARPAES_HOST_DEVICE Gf128 sum_of_block(Thread& thread, Gf128 value, Gf128* sums) {
  const uint32_t warp = thread.warp();  // a shuffle, in which all lanes have to take part
  value = exclusive_or_of_lanes(thread, value);
  if (thread.lane() == 0) sums[warp] = value;
  thread.barrier();
  if (warp != 0) return value;
  value = {0, 0};
  if (thread.lane() < thread.count() / kWarpLanes) {
    value = sums[thread.lane()];
    volatile uint64_t* const used = reinterpret_cast<uint64_t*>(sums + thread.lane());
    used[0] = 0;
    used[1] = 0;
  }
  return exclusive_or_of_lanes(thread, value);
}

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
    collect(thread, shares);
    WARPAES_UNROLL
    for (uint32_t i = 0; i < Count; i++) shares[i] = exclusive_or_of_lanes(thread, shares[i]);
    if (thread.lane() == 0) *arrivals = 0;
    return true;
  }

 private:
  /// Gives each lane the sums over its share of the parts, and clears these. A load of device memory takes
  /// hundreds of clocks and there may be thousands of parts, so a lane has several loads on the way.
  template <class Thread>
  WARPAES_HOST_DEVICE void collect(Thread& thread, Gf128 (&shares)[Count]) const {
    constexpr uint32_t kAtOnce = 4;
    const uint32_t all = Count * parts;
    WARPAES_UNROLL
    for (uint32_t i = 0; i < Count; i++) shares[i] = {0, 0};
    WARPAES_KEEP_ROLLED
    for (uint32_t part = thread.lane(); part < parts; part += kAtOnce * kWarpLanes) {
      Gf128 found[kAtOnce * Count];
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kAtOnce * Count; k++) {
        const uint32_t at = Count * (part + k / Count * kWarpLanes) + k % Count;
        found[k] = at < all ? thread.collect(sums + at) : Gf128{0, 0};
      }
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kAtOnce * Count; k++) {
        const uint32_t at = Count * (part + k / Count * kWarpLanes) + k % Count;
        shares[k % Count] = shares[k % Count] ^ found[k];
        if (at < all) thread.publish(sums + at, {0, 0});
      }
    }
  }
};

}  // namespace warpaes::core
