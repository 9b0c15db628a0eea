// One message in the modes whose blocks are independent, as launches: XTS, and decryption of CBC and CFB.
// They are templates over the machine that runs the kernels, as in lane_private_engine.hpp.
#pragma once

#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/lane_private_engine.hpp"
#include "engines/cuda/warp_runs.hpp"

namespace warpaes::core {

/// How consecutive blocks are distributed: each warp gets a run of them.
struct WarpRuns {
  uint64_t run_blocks;
  uint32_t runs, grid_blocks;

  /// @param group_blocks if there are enough blocks for all warps, runs are multiples of this
  WarpRuns(const kernels::DeviceShape& shape, int threads, uint64_t blocks, uint32_t group_blocks) {
    const uint64_t multiprocessors = static_cast<uint64_t>(shape.multiprocessors);
    const uint64_t warps = multiprocessors * static_cast<uint64_t>(threads) / kWarpLanes;
    const uint64_t unit = blocks >= warps * group_blocks ? group_blocks : kWarpLanes;
    const uint64_t units = (blocks - 1) / unit + 1;
    run_blocks = ((units - 1) / warps + 1) * unit;
    runs = static_cast<uint32_t>((blocks - 1) / run_blocks + 1);
    grid_blocks = static_cast<uint32_t>(std::min<uint64_t>(multiprocessors, runs));
  }
};

/// @tparam Gpu as for LanePrivateEngine
template <class Gpu>
class LanePrivateRuns {
 public:
  template <Unchaining Mode>
  static void unchain(const EngineKey& engine_key, const ChainRun& run, void* workspace, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    const WarpRuns geometry(key.shape, key.shape.policy.ecb_threads, (run.bytes - 1) / 16 + 1,
                            kWarpLanes * held_blocks(Mode));
    WipedArguments<UnchainArguments> arguments{};
    arguments.keys = Mode == Unchaining::cbc ? key.schedule.decryption() : key.schedule.encryption();
    describe_unchain<Gpu>(arguments, key, run, geometry.run_blocks, geometry.runs, workspace, stream);
    Gpu::run(kernels::grid::CbcCfbDecrypt<Mode>{}, key.target(), arguments, {geometry.grid_blocks}, stream);
  }

  static void xts(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) {
    if (run.bytes == 0) return;
    const auto& key = static_cast<const LanePrivateKey&>(keys.data);
    const kernels::DeviceShape& shape = key.shape;
    WipedArguments<XtsArguments> arguments{};
    describe_xts(arguments, run);
    const WarpRuns geometry(shape, shape.policy.xts_threads, arguments.blocks, kWarpLanes);
    arguments.keys =
        direction == WARPAES_DIRECTION_ENCRYPT ? key.schedule.encryption() : key.schedule.decryption();
    arguments.tweak_keys = static_cast<const LanePrivateKey&>(keys.tweak).schedule.encryption();
    arguments.run_blocks = geometry.run_blocks;
    arguments.runs = geometry.runs;
    with_direction(direction, [&](auto way) {
      Gpu::run(kernels::grid::Xts<way()>{}, key.target(), arguments, {geometry.grid_blocks}, stream);
    });
  }
};

}  // namespace warpaes::core
