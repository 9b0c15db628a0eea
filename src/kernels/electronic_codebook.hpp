// ECB: one block a thread at a time, the grid striding over the message. Limited by shared memory:
// 16 look-ups a round, and 8 accesses' worth of the same data path for the block's load and store.
// Timing class: conflict-free.
#pragma once

#include "kernels/block_access.hpp"

namespace warpaes {

struct CodebookArguments {
  RoundKeys keys;  // KeySchedule::encryption() or decryption()
  const uint8_t* input;
  uint8_t* output;
  uint64_t blocks;
};

/// @tparam Thread DeviceThread, or the emulated one of the tests
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void electronic_codebook(Thread& thread, const CodebookArguments& arguments,
                                             const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  const Lane tables(thread.shared(), thread.lane());
  const bool aligned = is_aligned(arguments.input) && is_aligned(arguments.output);

  const uint64_t step = static_cast<uint64_t>(thread.block_count()) * thread.count();
  uint64_t i = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
  for (; i < arguments.blocks; i += step) {
    const uint8_t* from = arguments.input + 16 * i;
    Columns state = aligned ? load_aligned(from) : load_bytes(from, 16);
    if constexpr (Way == WARPAES_ENCRYPT) {
      state =
          tables.template encrypt<Rounds, 1>(Lane::add_round_key(state, arguments.keys, 0), arguments.keys);
    } else {
      state = tables.template decrypt<Rounds>(state, arguments.keys);
    }
    uint8_t* to = arguments.output + 16 * i;
    if (aligned) {
      store_aligned(to, state);
    } else {
      store_bytes(to, state, 16);
    }
  }
}

}  // namespace warpaes
