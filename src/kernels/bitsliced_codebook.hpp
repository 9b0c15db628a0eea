// ECB on bit planes. Limited by the logic unit. Timing class: strict.
#pragma once

#include "kernels/bitsliced_group.hpp"

namespace warpaes {

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

/// @tparam Thread DeviceThread, or the emulated one of the tests
template <int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void bitsliced_codebook(Thread& thread, const SlicedCodebookArguments& arguments) {
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

}  // namespace warpaes
