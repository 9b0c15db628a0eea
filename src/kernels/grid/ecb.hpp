// ECB: each thread of the grid takes one block, and strides over the message. It loads its next block before
// it works on the present one.
//
//     thread of the grid    0    1    2   …   n - 1
//     step 0              | 0  | 1  | 2  | … | n - 1  |     blocks of the message
//     step 1              | n  | n+1| n+2| … | 2n - 1 |
//
// Limits. Shared memory: 16 look-ups a round, and as much as 8 look-ups for the block's load and store.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

struct CodebookArguments {
  RoundKeys keys;  // KeySchedule::encryption() or decryption()
  const uint8_t* input;
  uint8_t* output;
  uint64_t blocks;
};

/// One lane's work: block `first` and every block that lies a multiple of `step` behind it.
/// @tparam Aligned loads and stores of whole blocks are possible
template <int Rounds, warpaes_direction Way, bool Aligned, class Lane>
WARPAES_HOST_DEVICE void codebook_lane(const Lane& tables, const CodebookArguments& arguments, uint64_t first,
                                       uint64_t step) {
  const auto load = [](const uint8_t* from) { return Aligned ? load_aligned(from) : load_bytes(from, 16); };
  if (first >= arguments.blocks) return;
  const uint8_t* input = arguments.input + 16 * first;
  uint8_t* output = arguments.output + 16 * first;
  Columns next = load(input);
  for (uint64_t i = first; i < arguments.blocks; i += step) {
    Columns state = next;
    input += 16 * step;
    if (i + step < arguments.blocks) next = load(input);
    if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) {
      state =
          tables.template encrypt<Rounds, 1>(Lane::add_round_key(state, arguments.keys, 0), arguments.keys);
    } else {
      state = tables.template decrypt<Rounds>(state, arguments.keys);
    }
    if constexpr (Aligned) {
      store_aligned(output, state);
    } else {
      store_bytes(output, state, 16);
    }
    output += 16 * step;
  }
}

/// @tparam Thread DeviceThread, or the tests' emulated thread
template <int Tables, int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void electronic_codebook(Thread& thread, const CodebookArguments& arguments,
                                             const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  const Lane tables(thread.shared(), thread.lane());
  const uint64_t step = static_cast<uint64_t>(thread.block_count()) * thread.count();
  const uint64_t first = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
  if (is_aligned(arguments.input) && is_aligned(arguments.output)) {
    codebook_lane<Rounds, Way, true>(tables, arguments, first, step);
  } else {
    codebook_lane<Rounds, Way, false>(tables, arguments, first, step);
  }
}

namespace kernels::grid {

template <warpaes_direction Way>
struct Ecb : ForEveryKeySize {
  static constexpr const char* kName = "grid/ecb";
  using Arguments = CodebookArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, on.ecb_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    electronic_codebook<kPolicy.tables, Rounds, Way>(
        thread, arguments, Way == WARPAES_DIRECTION_ENCRYPT ? thread.t0() : thread.inverse_t0());
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
