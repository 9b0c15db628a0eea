// OCB3 as launches: one message that all warps share, or many messages with a team of lanes for each.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/key_each_launches.hpp"
#include "engines/cuda/lane_private_runs.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wipe_failed.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/grid/ocb3.hpp"
#include "kernels/team/ocb3.hpp"
#include "kernels/team/ocb3_per_message_keys.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class Ocb3Launches {
 public:
  /// The workspace of one message: a counter of arrivals, and two sums for each run.
  static size_t workspace_bytes(uint64_t messages, uint64_t bytes) {
    if (messages != 1) return 0;
    return kArrivalBytes + 2 * sizeof(Gf128) * std::min(bytes / (16 * kGroup) + 1, kMostWarps);
  }

  static void run(const BatchKey& batch_key, const Batch& batch, void* workspace, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    if (batch.host_nonce != nullptr && is_regular(batch)) {
      one_message(key, batch, workspace, stream);
      return;
    }
    for_each_launch(batch, [&](const Batch& part, uint64_t) { by_teams(key, part, stream); });
  }

  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    with_direction(batch.direction, [&](auto way) {
      launch_key_each<Gpu>(kernels::team::Ocb3PerMessageKeys<way()>{}, device, keys, batch, stream);
    });
  }

 private:
  static constexpr size_t kArrivalBytes = 16;
  static constexpr uint32_t kGroup = 2 * kWarpLanes;  // how many blocks a warp takes at a time

  static void by_teams(const LanePrivateKey& key, const Batch& batch, Stream stream) {
    WipedArguments<OcbBatch> arguments{};
    describe(arguments, key, batch);
    arguments.only_offset = offset_of_host_nonce(key, batch);
    const kernels::KernelPolicy policy = ocb_policy(key.shape.policy, batch.direction);
    for_each_geometry(key.shape, policy, batch, [&](const TeamGeometry& geometry) {
      arguments.distribution = geometry.distribution;
      with_direction(batch.direction, [&](auto way) {
        Gpu::run(kernels::team::Ocb3<way()>{}, key.target(), arguments, {geometry.blocks}, stream);
      });
    });
  }

  static void one_message(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    // Runs consist of whole groups, of each of which a lane has two blocks.
    const uint64_t pairs = std::max<uint64_t>((batch.bytes / 16 + 1) / 2, 1);
    const WarpRuns geometry(key.shape, key.shape.policy.ocb_threads, pairs, kWarpLanes);
    WipedArguments<OcbLongArguments> arguments{};
    describe(arguments, key, batch);
    arguments.offset_0 = offset_of_host_nonce(key, batch);
    arguments.run_blocks = 2 * geometry.run_blocks;
    arguments.runs = geometry.runs;
    arguments.arrivals = static_cast<uint32_t*>(workspace);
    arguments.sums = reinterpret_cast<Gf128*>(static_cast<uint8_t*>(workspace) + kArrivalBytes);
    Gpu::zero(key.target(), workspace, kArrivalBytes, stream);
    with_direction(batch.direction, [&](auto way) {
      Gpu::run(kernels::grid::Ocb3<way()>{}, key.target(), arguments, {geometry.grid_blocks}, stream);
    });
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) return;
    launch_wipe_failed<Gpu>(key.target(), {batch.statuses, batch.output, batch.output_stride, batch.bytes, 1},
                            stream);
  }

  template <class Arguments>
  static void describe(Arguments& arguments, const LanePrivateKey& key, const Batch& batch) {
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.keys.encryption = key.schedule.encryption();
    arguments.keys.data =
        batch.direction == WARPAES_DIRECTION_ENCRYPT ? key.schedule.encryption() : key.schedule.decryption();
    arguments.keys.ocb = key.ocb;
  }

  /// Offset_0, computed on the host, so that no warp has to wait for another one.
  static Columns offset_of_host_nonce(const LanePrivateKey& key, const Batch& batch) {
    if (batch.host_nonce == nullptr) return {0, 0, 0, 0};
    uint8_t ktop[16];
    const auto encrypt = [&](Columns block) {
      store_bytes(ktop, block, sizeof ktop);
      careful_block(key.schedule.encryption(), key.schedule.rounds(), ktop, ktop);
      return load_bytes(ktop, sizeof ktop);
    };
    const Columns offset = ocb_first_offset(batch.host_nonce, static_cast<uint32_t>(batch.host_nonce_bytes),
                                            static_cast<uint32_t>(batch.tag_bytes), encrypt);
    OPENSSL_cleanse(ktop, sizeof ktop);
    return offset;
  }
};

}  // namespace warpaes::core
