// ECB on bit planes.
//
//     group of 256 blocks  | 0 … 31 | 32 … 63 | … | 224 … 255 |   lane l: block l of each 32, eight in all
//     a lane's registers   8 blocks of 128 bits = 32 words, each of which holds 4 bits of all 8 blocks
//
// Limits. The logic unit. Timing class: strict.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/bitsliced_group.hpp"

namespace warpaes::core {

struct SlicedCodebookArguments {
  SlicedKeys keys;  // fill_sliced_keys() or fill_sliced_decryption_keys()
  const uint8_t* input;
  uint8_t* output;
  uint64_t blocks;
};

struct SlicedCodebookGroup {
  const SlicedPlace place;
  const uint8_t* const from;
  uint8_t* const to;
  const bool aligned;

  WARPAES_HOST_DEVICE SlicedBlocks before() const { return load_sliced(place, from, aligned); }
  WARPAES_HOST_DEVICE void after(const SlicedBlocks& blocks) const {
    store_sliced(place, blocks, to, aligned);
  }
};

namespace kernels::grid {

template <warpaes_direction Way>
struct BitslicedEcb : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_ecb";
  using Arguments = SlicedCodebookArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads), .blocks = on.bitsliced_blocks};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const bool aligned = is_aligned(arguments.input) && is_aligned(arguments.output);
    const uint64_t warps = thread.count() / kWarpLanes;
    const uint64_t step = kSlicedWarpBlocks * warps * thread.block_count();
    uint64_t first = kSlicedWarpBlocks * (warps * thread.block() + thread.warp()) + thread.lane();
    for (; first < arguments.blocks; first += step) {
      SlicedCodebookGroup group{SlicedPlace(first, arguments.blocks), arguments.input + 16 * first,
                                arguments.output + 16 * first, aligned};
      crypt_group<Rounds, Way>(group, arguments.keys);
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
