// A warp's 256 blocks on bit planes, 8 in each thread, which its lanes load and store side by side. This is
// what the modes of blocks have in common; a mode adds what happens before and after the cipher. Timing
// class: strict.
#pragma once

#include "kernels/warp/block_access.hpp"
#include "primitives/bitsliced_rounds.hpp"

namespace warpaes::core {

constexpr uint32_t kSlicedWarpBlocks = kSlicedBlocks * kWarpLanes;

/// Which of a thread's 8 blocks exist. Block j lies 32 j blocks behind the first.
struct SlicedPlace {
  uint64_t first;              // the first of the thread's blocks
  uint32_t left;               // blocks of the message from there on; 256 stands for more
  uint32_t last_bytes;         // of the message's last block
  bool without_first = false;  // leaves out block 0, which the caller has from elsewhere

  WARPAES_HOST_DEVICE SlicedPlace(uint64_t first_block, uint64_t blocks, uint32_t bytes_of_last = 16)
      : first(first_block),
        left(first_block + kSlicedWarpBlocks <= blocks ? kSlicedWarpBlocks
             : first_block < blocks                    ? static_cast<uint32_t>(blocks - first_block)
                                                       : 0),
        last_bytes(bytes_of_last) {}

  WARPAES_HOST_DEVICE bool has(int j) const {
    return static_cast<uint32_t>(j) * kWarpLanes < left && !(j == 0 && without_first);
  }
  /// The length of block j, which must exist.
  WARPAES_HOST_DEVICE uint32_t bytes(int j) const {
    return static_cast<uint32_t>(j) * kWarpLanes + 1 == left ? last_bytes : 16;
  }
  WARPAES_HOST_DEVICE static int offset(int j) { return 16 * static_cast<int>(kWarpLanes) * j; }
};

/// @tparam Aligned memory is aligned, and all blocks are whole
template <bool Aligned>
WARPAES_HOST_DEVICE SlicedBlocks load_sliced(const SlicedPlace& place, const uint8_t* from) {
  SlicedBlocks blocks;
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) {
    blocks.block[j] = {0, 0, 0, 0};
    if (!place.has(j)) continue;
    const uint8_t* at = from + SlicedPlace::offset(j);
    blocks.block[j] = Aligned ? load_aligned(at) : load_bytes(at, place.bytes(j));
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
      store_bytes(at, blocks.block[j], place.bytes(j));
    }
  }
}

/// Loads a thread's blocks; those that do not exist are zero. Only the accesses are compiled twice, for
/// aligned and for other memory, and not all the code around them.
WARPAES_HOST_DEVICE SlicedBlocks load_sliced(const SlicedPlace& place, const uint8_t* from, bool aligned) {
  return aligned ? load_sliced<true>(place, from) : load_sliced<false>(place, from);
}

WARPAES_HOST_DEVICE void store_sliced(const SlicedPlace& place, const SlicedBlocks& blocks, uint8_t* to,
                                      bool aligned) {
  if (aligned) {
    store_sliced<true>(place, blocks, to);
  } else {
    store_sliced<false>(place, blocks, to);
  }
}

WARPAES_HOST_DEVICE void exclusive_or(SlicedBlocks& blocks, const SlicedBlocks& others) {
  WARPAES_UNROLL
  for (int j = 0; j < kSlicedBlocks; j++) blocks.block[j] = blocks.block[j] ^ others.block[j];
}

/// The cipher without the additions of the first and the last round key.
template <int Rounds, warpaes_direction Way>
WARPAES_HOST_DEVICE void sliced_cipher_without_ends(SlicedState& state, const SlicedKeys& keys) {
  if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) {
    sliced_rounds(state, keys, 1, Rounds - 1);
    substitute_and_shift_rows(state);
  } else {
    sliced_inverse_rounds(state, keys, 1, Rounds - 1);
    inverse_shift_and_substitute_rows(state);
  }
}

template <int Rounds, warpaes_direction Way>
WARPAES_HOST_DEVICE void sliced_cipher(SlicedState& state, const SlicedKeys& keys) {
  exclusive_or(state, keys.word);
  sliced_cipher_without_ends<Rounds, Way>(state, keys);
  exclusive_or(state, keys.word + kSlicedWords * Rounds);
}

/// @param mode its before() gives the cipher's input, its after() takes the cipher's output, both for this
///        thread
template <int Rounds, warpaes_direction Way, class Mode>
WARPAES_HOST_DEVICE void crypt_group(Mode& mode, const SlicedKeys& keys) {
  SlicedState state = slice(mode.before());
  sliced_cipher<Rounds, Way>(state, keys);
  mode.after(unslice(state));
}

/// The same for a mode that adds the first and the last round key itself, in one instruction with what else
/// it adds to a block.
template <int Rounds, warpaes_direction Way, class Mode>
WARPAES_HOST_DEVICE void crypt_keyed_group(Mode& mode, const SlicedKeys& keys) {
  SlicedState state = slice(mode.before());
  sliced_cipher_without_ends<Rounds, Way>(state, keys);
  mode.after(unslice(state));
}

}  // namespace warpaes::core
