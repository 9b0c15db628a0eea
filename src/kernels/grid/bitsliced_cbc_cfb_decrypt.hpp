// Decryption of CBC and CFB on bit planes. grid/cbc_cfb_decrypt.hpp says why it is parallel, and
// docs/design/bitsliced.md what bit planes are.
//
//     run of a warp    | group 0 | group 1 | … | group n - 1 |     lane l: block l of each 32 in a group
//     256 blocks each     last              …   second     first done
//
// Threads. A warp takes a run of consecutive blocks in groups of 256, from the last group to the first. So
// the ciphertext before a group is still there when the group is done, also when the message is decrypted in
// place. Only the block before the run may have been overwritten by another warp; it is read from the
// workspace, where a kernel has saved it.
//
// A block and the one before it are both loaded from memory, the former before the cipher runs and the latter
// after it. There are no registers to keep them in between, and memory has time to spare.
//
// Limits. The logic unit: the gates of ECB, and 32 XORs, 8 loads and their addresses for 8 blocks. Timing
// class: strict.
#pragma once

#include "kernels/grid/cbc_cfb_decrypt.hpp"
#include "kernels/kernel.hpp"
#include "kernels/warp/bitsliced_group.hpp"

namespace warpaes::core {

struct SlicedUnchainArguments : UnchainRuns {
  SlicedKeys keys;  // fill_sliced_decryption_keys() for CBC, fill_sliced_keys() for CFB
};

template <Unchaining Mode, class Thread>
class SlicedUnchainGroup {
 public:
  /// @param first the index of the group's first block
  WARPAES_HOST_DEVICE SlicedUnchainGroup(Thread& thread, const UnchainRuns& runs, uint32_t run,
                                         uint64_t first, bool aligned)
      : thread_(thread),
        runs_(runs),
        place_(first + thread.lane(), runs.blocks(), runs.last_bytes()),
        run_(run),
        begins_run_(first == run * runs.run_blocks && thread.lane() == 0),
        aligned_(aligned && (runs.last_bytes() == 16 || first + kSlicedWarpBlocks < runs.blocks())) {}

  WARPAES_HOST_DEVICE SlicedBlocks before() const {
    return Mode == Unchaining::cbc ? blocks() : blocks_before();
  }

  WARPAES_HOST_DEVICE void after(SlicedBlocks made) const {
    exclusive_or(made, Mode == Unchaining::cbc ? blocks_before() : blocks());
    thread_.sync_warp();  // in place, other lanes have now read what this one overwrites
    store_sliced(place_, made, runs_.output + 16 * place_.first, aligned_);
  }

 private:
  WARPAES_HOST_DEVICE SlicedBlocks blocks() const {
    return load_sliced(place_, runs_.input + 16 * place_.first, aligned_);
  }

  /// The ciphertext before each of the lane's blocks.
  WARPAES_HOST_DEVICE SlicedBlocks blocks_before() const {
    SlicedPlace place = place_;
    place.last_bytes = 16;
    place.without_first = begins_run_;
    SlicedBlocks blocks = load_sliced(place, runs_.input + 16 * place_.first - 16, aligned_);
    if (begins_run_) blocks.block[0] = runs_.block_before(run_);
    return blocks;
  }

  Thread& thread_;
  const UnchainRuns& runs_;
  const SlicedPlace place_;
  const uint32_t run_;
  const bool begins_run_;  // the lane's first block of the group is the first of the run
  const bool aligned_;     // the group has whole blocks only, at aligned addresses
};

namespace kernels::grid {

template <Unchaining Mode>
struct BitslicedCbcCfbDecrypt : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_cbc_cfb_decrypt";
  using Arguments = SlicedUnchainArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads), .blocks = on.bitsliced_blocks};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    constexpr warpaes_direction kWay =
        Mode == Unchaining::cbc ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT;
    const bool aligned = is_aligned(arguments.input) && is_aligned(arguments.output);
    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
    uint32_t run = thread.warp() * thread.block_count() + thread.block();
    for (; run < arguments.runs; run += warps) {
      const uint64_t begin = run * arguments.run_blocks, left = arguments.blocks() - begin;
      const uint64_t count = left < arguments.run_blocks ? left : arguments.run_blocks;
      uint64_t at = (count - 1) / kSlicedWarpBlocks * kSlicedWarpBlocks;
      for (;; at -= kSlicedWarpBlocks) {
        SlicedUnchainGroup<Mode, Thread> group(thread, arguments, run, begin + at, aligned);
        crypt_group<Rounds, kWay>(group, arguments.keys);
        if (at == 0) break;
      }
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
