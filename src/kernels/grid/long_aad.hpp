// GHASH (SP 800-38D section 6.4) of long additional data, which all warps share. GMAC has nothing else.
//
//     additional data | run 0: warp 0 | run 1: warp 1 | …     rows of 32 blocks, one a lane
//     run             | row 0: its first lanes may have no block | row 1 | … | the last row is full
//     sum             = hash of run 0 * H^(blocks behind run 0)  +  hash of run 1 * H^(blocks behind run 1)
//
// The kernels that end a message let one warp hash its additional data, byte by byte, as it is short in most
// protocols. Here a lane's hash is one sum, by Horner's rule with H^128 from four rows to the next four,
// whose loads are on their way together. What a run's lanes have is multiplied by the powers of H that belong
// to it in the message, and added to the message's sum, which is zero before the launch. The kernel that ends
// the message takes that sum, and clears it, as H can be computed from it (with_long_aad() of
// grid/ctr_gcm_arguments.hpp).
//
// Limits. Device memory, or the carry-less multiplier where a GPU has none. Timing class: strict.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/ghash.hpp"
#include "kernels/warp/shifted_blocks.hpp"

namespace warpaes::core {

struct LongAadArguments {
  const uint8_t* aad;
  uint64_t bytes, stride;  // of each message; at least one byte
  uint64_t run_blocks;     // of all runs but a message's last; a multiple of 32, and at most 2^31
  uint64_t behind;         // which power of H the last block of additional data has in the message
  uint64_t runs;           // of each message
  uint64_t messages;
  Gf128* sums;  // one for each message
  GhashPowers powers;
};

/// One warp's work on one run of a message. All lanes call.
/// @param bytes of the run; only a message's last may have another number of blocks than a multiple of 32
/// @return the sum over the run's n blocks of block i * H^(n - 1 - i), in all lanes
template <class Thread>
WARPAES_HOST_DEVICE Gf128 hash_of_run(Thread& thread, const uint8_t* from, uint64_t bytes,
                                      const GhashPowers& powers) {
  constexpr uint32_t kRowsTogether = 4;
  const BlockRange blocks(bytes);
  const ShiftedInput input(from, blocks);
  const auto element = [&](Chunks loaded) { return to_gf128(input.joined(loaded, computed_again)); };
  const uint32_t rows = (blocks.count - 1) / kWarpLanes + 1, missing = rows * kWarpLanes - blocks.count;
  // The block of the lane's place in a row; of the first row's places, some may have none.
  const auto block_of = [&](uint32_t row) { return row * kWarpLanes + thread.lane() - missing; };
  Gf128 hash{0, 0};
  WARPAES_KEEP_ROLLED
  for (uint32_t row = 0; row < rows;) {
    // A row in the middle has 16 bytes of the run before each of its blocks, and 16 behind it.
    if (row != 0 && row + kRowsTogether < rows) {
      Chunks loaded[kRowsTogether];
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kRowsTogether; k++) loaded[k] = input.load_inner(block_of(row + k));
      Gf128Sum sum;
      sum.add(hash, powers.of_thread(kRowsTogether));
      WARPAES_UNROLL
      for (uint32_t k = 0; k + 1 < kRowsTogether; k++) {
        sum.add(element(loaded[k]), powers.of_thread(kRowsTogether - 1 - k));
      }
      hash = sum.reduced() ^ element(loaded[kRowsTogether - 1]);
      row += kRowsTogether;
      continue;
    }
    hash = multiply_reduced(hash, powers.warp());
    const bool there = row != 0 || thread.lane() >= missing;
    if (there) hash = hash ^ element(input.load(block_of(row)));
    row++;
  }
  return sum_of_lanes(thread, hash, powers);
}

namespace kernels::grid {

/// The kernel. Each run has a warp of its own or, where there are more runs than warps, a warp takes several.
struct LongAad : WithoutKey {
  static constexpr const char* kName = "grid/long_aad";
  using Arguments = LongAadArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.counter_threads)};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t warps = thread.count() / kWarpLanes * thread.block_count();
    for (uint64_t task = thread.warp() * thread.block_count() + thread.block();
         task < arguments.messages * arguments.runs; task += warps) {
      const uint64_t message = task / arguments.runs, run = task % arguments.runs;
      const uint64_t first = run * arguments.run_blocks, left = arguments.bytes - 16 * first,
                     bytes = left < 16 * arguments.run_blocks ? left : 16 * arguments.run_blocks,
                     behind = arguments.behind + (left + 15) / 16 - (bytes + 15) / 16;
      const uint8_t* const from = arguments.aad + message * arguments.stride + 16 * first;
      const Gf128 hash = hash_of_run(thread, from, bytes, arguments.powers);
      const Gf128 share = times_long_power(hash, behind, arguments.powers);
      if (thread.lane() == 0) thread.add(arguments.sums + message, share);
    }
  }

 private:
  /// hash * H^exponent, also of more blocks than a message of GCM can have.
  WARPAES_HOST_DEVICE static Gf128 times_long_power(Gf128 hash, uint64_t exponent,
                                                    const GhashPowers& powers) {
    const uint32_t low = static_cast<uint32_t>(exponent);
    const uint64_t high = exponent >> 32;
    if (high != 0) hash = gf128_multiply(hash, gf128_power(powers.square(32), high));
    return times_power(hash, low, powers);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
