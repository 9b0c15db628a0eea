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

/// Which of a thread's 8 blocks there are: block j lies 32 j blocks after the first.
struct SlicedPlace {
  uint64_t first;  // of the thread's blocks
  uint32_t left;   // blocks of the message from there on, 256 standing for more

  WARPAES_HOST_DEVICE SlicedPlace(uint64_t first_block, uint64_t blocks)
      : first(first_block),
        left(first_block + kSlicedWarpBlocks <= blocks ? kSlicedWarpBlocks
             : first_block < blocks                    ? static_cast<uint32_t>(blocks - first_block)
                                                       : 0) {}

  WARPAES_HOST_DEVICE bool has(int j) const { return static_cast<uint32_t>(j) * kWarpLanes < left; }
  WARPAES_HOST_DEVICE static int offset(int j) { return 16 * static_cast<int>(kWarpLanes) * j; }
};

template <bool Aligned>
WARPAES_HOST_DEVICE SlicedBlocks load_sliced(const SlicedPlace& place, const uint8_t* from) {
  SlicedBlocks blocks;
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    blocks.block[j] = {0, 0, 0, 0};
    if (!place.has(j)) continue;
    const uint8_t* at = from + SlicedPlace::offset(j);
    blocks.block[j] = Aligned ? load_aligned(at) : load_bytes(at, 16);
  }
  return blocks;
}

template <bool Aligned>
WARPAES_HOST_DEVICE void store_sliced(const SlicedPlace& place, const SlicedBlocks& blocks, uint8_t* to) {
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    if (!place.has(j)) continue;
    uint8_t* at = to + SlicedPlace::offset(j);
    if constexpr (Aligned) {
      store_aligned(at, blocks.block[j]);
    } else {
      store_bytes(at, blocks.block[j], 16);
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
  uint64_t first = kSlicedWarpBlocks * (warps * thread.block() + thread.warp()) + thread.lane();
  for (; first < arguments.blocks; first += step) {
    const SlicedPlace place(first, arguments.blocks);
    const uint8_t* from = arguments.input + 16 * first;
    uint8_t* to = arguments.output + 16 * first;
    SlicedState state = slice(aligned ? load_sliced<true>(place, from) : load_sliced<false>(place, from));
    sliced_cipher<Rounds, Way>(state, arguments.keys);
    if (aligned) {
      store_sliced<true>(place, unslice(state), to);
    } else {
      store_sliced<false>(place, unslice(state), to);
    }
  }
}

}  // namespace warpaes
