// A warp's own part of shared memory, in kernels on bit planes. It holds what depends on keys and messages,
// and CUDA does not clear shared memory before the next kernel.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// Clears a warp's own part when the warp no longer needs it. All lanes call.
/// @tparam Scratch as long as a number of whole blocks
template <class Thread, class Scratch>
WARPAES_HOST_DEVICE void clear_scratch(Thread& thread, Scratch& scratch) {
  static_assert(sizeof scratch % sizeof(AlignedBlock) == 0 && alignof(Scratch) >= alignof(AlignedBlock));
  auto* const blocks = reinterpret_cast<AlignedBlock*>(&scratch);
  thread.sync_warp();  // other lanes may still read it
  WARPAES_UNROLL
  for (uint32_t i = 0; i < (sizeof scratch / sizeof(AlignedBlock) + kWarpLanes - 1) / kWarpLanes; i++) {
    const uint32_t at = kWarpLanes * i + thread.lane();
    if (at < sizeof scratch / sizeof(AlignedBlock)) blocks[at] = {0, 0, 0, 0};
  }
  // Nothing reads the memory any more. For all that the compiler knows, this does.
  asm volatile("" ::: "memory");
}

}  // namespace warpaes::core
