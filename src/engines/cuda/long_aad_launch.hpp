// Long additional data of GCM, and what GMAC authenticates, as a launch before the one that ends the
// messages.
#pragma once

#include <algorithm>

#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wipe_failed.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "engines/engine.hpp"
#include "kernels/grid/long_aad.hpp"

namespace warpaes::core {

/// The room for the sums of long additional data, which a workspace has behind what else is in it.
constexpr size_t aad_sums_bytes(uint64_t messages) { return messages * sizeof(Gf128); }

/// Is it worth two more launches, which take some 4 microseconds? One warp hashes 8 KiB in that time, and all
/// warps hash a batch at a sixth of the speed of this kernel. Shorter than that, teams hash it beside the
/// data.
inline bool has_long_aad(const Batch& batch) {
  constexpr uint64_t kOfMessage = 8192, kOfBatch = 4 << 20;
  return batch.aad_bytes >= kOfMessage ||
         (batch.aad_bytes > kTeamAadBytes && batch.messages > kOfBatch / batch.aad_bytes);
}

/// How a batch's additional data is cut into runs.
struct LongAadRuns {
  uint64_t blocks;  // of each run but a message's last
  uint64_t count;   // of each message

  /// There are enough for all warps, and none is longer than 2^31 blocks, as a warp counts in 32 bits.
  /// @param aad_bytes of each message
  LongAadRuns(uint64_t warps, uint64_t messages, uint64_t aad_bytes) {
    constexpr uint64_t kMostRows = uint64_t{1} << 26;
    const uint64_t rows = (aad_bytes - 1) / (16 * kWarpLanes) + 1,
                   wanted = (rows - 1) / std::max<uint64_t>(warps / messages, 1) + 1,
                   rows_a_run = std::min(wanted, kMostRows);
    blocks = rows_a_run * kWarpLanes;
    count = (rows - 1) / rows_a_run + 1;
  }
};

/// Hashes the additional data of a regular batch, and calls what launches the kernel that takes the sums and
/// clears them.
/// @param sums aad_sums_bytes() in the workspace
/// @param launch () -> void
template <class Gpu, class Launch>
void launch_with_long_aad(const kernels::LaunchTarget& target, const GhashPowers& powers, const Batch& batch,
                          Gf128* sums, Stream stream, const Launch& launch) {
  constexpr kernels::grid::LongAad kKernel;
  const uint64_t multiprocessors = static_cast<uint64_t>(target.shape.multiprocessors),
                 warps = multiprocessors * kKernel.policy(target.shape.policy, 0).threads / kWarpLanes;
  const LongAadRuns runs(warps, batch.messages, batch.aad_bytes);
  WipedArguments<LongAadArguments> arguments{};
  arguments.aad = batch.aad;
  arguments.bytes = batch.aad_bytes;
  arguments.stride = batch.aad_stride;
  arguments.run_blocks = runs.blocks;
  arguments.runs = runs.count;
  arguments.behind = (batch.bytes + 15) / 16 + 2;  // those of the text and the one of the lengths
  arguments.messages = batch.messages;
  arguments.sums = sums;
  arguments.powers = powers;
  const uint64_t blocks = std::min(multiprocessors, batch.messages * runs.count);
  Gpu::zero(target, sums, batch.messages * sizeof *sums, stream);
  Gpu::run(kKernel, target, arguments, {static_cast<uint32_t>(blocks)}, stream);
  launch_or_zero<Gpu>(target,
                      {"the workspace, in which sums depend on the key,", reinterpret_cast<uint8_t*>(sums), 1,
                       0, batch.messages * sizeof *sums},
                      stream, launch);
}

}  // namespace warpaes::core
