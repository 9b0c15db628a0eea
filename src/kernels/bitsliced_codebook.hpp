// ECB on bit planes: 8 blocks a thread, 256 a warp, which its lanes load and store side by side. Limited by
// the logic unit. Timing class: strict.
#pragma once

#include "kernels/block_access.hpp"
#include "primitives/bitsliced_rounds.hpp"

namespace warpaes {

struct SlicedCodebookArguments {
  SlicedKeys keys;  // fill_sliced_keys() or fill_sliced_decryption_keys()
  const uint8_t* input;
  uint8_t* output;
  uint64_t blocks;
};

constexpr uint32_t kSlicedWarpBlocks = kSlicedBlocks * kWarpLanes;

/// Where a thread's block j is, and whether it is there: block 32 * j of the warp's, and the lane.
struct SlicedPlace {
  uint64_t first;  // the lane's first block
  uint64_t blocks;

  WARPAES_HOST_DEVICE uint64_t block(int j) const { return first + static_cast<uint64_t>(j) * kWarpLanes; }
  WARPAES_HOST_DEVICE bool has(int j) const { return block(j) < blocks; }
};

WARPAES_HOST_DEVICE SlicedBlocks load_sliced(const SlicedPlace& place, const uint8_t* input, bool aligned) {
  SlicedBlocks blocks;
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    const uint8_t* from = input + 16 * place.block(j);
    blocks.block[j] = {0, 0, 0, 0};
    if (place.has(j)) blocks.block[j] = aligned ? load_aligned(from) : load_bytes(from, 16);
  }
  return blocks;
}

WARPAES_HOST_DEVICE void store_sliced(const SlicedPlace& place, const SlicedBlocks& blocks, uint8_t* output,
                                      bool aligned) {
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    if (!place.has(j)) continue;
    uint8_t* to = output + 16 * place.block(j);
    if (aligned) {
      store_aligned(to, blocks.block[j]);
    } else {
      store_bytes(to, blocks.block[j], 16);
    }
  }
}

template <int Rounds, warpaes_direction Way>
WARPAES_HOST_DEVICE void sliced_cipher(SlicedState& state, const SlicedKeys& keys) {
  exclusive_or(state, keys.word);
  if constexpr (Way == WARPAES_ENCRYPT) {
    sliced_rounds(state, keys, 1, Rounds - 1);
    substitute_and_shift_rows(state);
  } else {
    sliced_inverse_rounds(state, keys, 1, Rounds - 1);
    inverse_shift_and_substitute_rows(state);
  }
  exclusive_or(state, keys.word + kSlicedWords * Rounds);
}

/// @tparam Thread DeviceThread, or the emulated one of the tests
template <int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void bitsliced_codebook(Thread& thread, const SlicedCodebookArguments& arguments) {
  const bool aligned = is_aligned(arguments.input) && is_aligned(arguments.output);
  const uint64_t warps = thread.count() / kWarpLanes;
  const uint64_t step = kSlicedWarpBlocks * warps * thread.block_count();
  SlicedPlace place{kSlicedWarpBlocks * (warps * thread.block() + thread.warp()) + thread.lane(),
                    arguments.blocks};
  for (; place.has(0); place.first += step) {
    SlicedState state = slice(load_sliced(place, arguments.input, aligned));
    sliced_cipher<Rounds, Way>(state, arguments.keys);
    store_sliced(place, unslice(state), arguments.output, aligned);
  }
}

}  // namespace warpaes
