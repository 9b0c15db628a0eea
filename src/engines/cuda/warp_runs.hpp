// How consecutive blocks are distributed to warps, and what decryption of CBC and CFB needs where two warps'
// runs meet.
#pragma once

#include <algorithm>

#include "engines/cuda/described_batch.hpp"
#include "engines/engine.hpp"
#include "kernels/grid/cbc_cfb_decrypt.hpp"
#include "kernels/grid/xts.hpp"

namespace warpaes::core {

/// The workspace for decryption in place of CBC and CFB: there are no more runs than warps.
inline size_t unchain_workspace_for(uint64_t bytes) {
  const uint64_t steps = bytes / (16 * kWarpLanes) + 1;
  return steps == 1 && bytes < 16 * kWarpLanes ? 0 : 16 * std::min(steps, kMostWarps);
}

/// Fills in all arguments but the keys. In place, it launches the kernel that saves the blocks before the
/// runs.
/// @param workspace unchain_workspace_for() bytes; not used out of place, or if there is only one run
template <class Gpu, class Key>
void describe_unchain(UnchainRuns& runs, const Key& key, const ChainRun& run, uint64_t run_blocks,
                      uint32_t run_count, void* workspace, Stream stream) {
  runs.iv = load_bytes(run.iv, 16);
  runs.input = run.input;
  runs.output = run.output;
  runs.before = run.input - 16;
  runs.before_stride = 16 * run_blocks;
  runs.bytes = run.bytes;
  runs.run_blocks = run_blocks;
  runs.runs = run_count;
  if (run.input != run.output || run_count == 1) return;
  auto* const saved = static_cast<uint8_t*>(workspace);
  const SaveArguments arguments{run.input, saved, 16 * run_blocks, run_count};
  const uint32_t threads = static_cast<uint32_t>(key.shape.policy.ecb_threads);
  Gpu::run(kernels::grid::SaveBlocksBeforeRuns{}, key.target(), arguments, {(run_count - 1) / threads + 1},
           stream);
  runs.before = saved;
  runs.before_stride = 16;
}

/// Fills in everything but the keys and the runs.
inline void describe_xts(XtsUnits& units, const XtsRun& run) {
  const Columns number = load_bytes(run.tweak, 16);
  units.number = {{number.a, number.b, number.c, number.d}};
  units.input = run.input;
  units.output = run.output;
  units.bytes = run.bytes;
  units.unit_bytes = run.data_unit_bytes;
  units.unit_blocks = static_cast<uint32_t>(run.data_unit_bytes / 16);
  units.blocks = run.bytes / run.data_unit_bytes * units.unit_blocks + run.bytes % run.data_unit_bytes / 16;
}

}  // namespace warpaes::core
