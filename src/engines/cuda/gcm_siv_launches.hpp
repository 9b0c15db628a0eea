// GCM-SIV as launches: one long message that all warps share, or many messages with a team of lanes for each.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/key_each_launches.hpp"
#include "engines/cuda/lane_private_runs.hpp"
#include "engines/cuda/launch_stamp.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/grid/gcm_siv.hpp"
#include "kernels/team/gcm_siv.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/key_expansion.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class GcmSivLaunches {
 public:
  /// The workspace of a long message: a sum of each thread block.
  static size_t workspace_bytes(uint64_t messages, uint64_t bytes) {
    if (messages != 1 || bytes <= kWarpBytes) return 0;
    return sizeof(StampedSum) * std::min(bytes / (16 * kWarpLanes) + 1, kMostSharingBlocks);
  }

  static void run(const BatchKey& batch_key, const Batch& batch, void* workspace, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    if (batch.host_nonce != nullptr && is_regular(batch) && batch.bytes > kWarpBytes) {
      one_long(key, batch, workspace, stream);
      return;
    }
    for_each_launch(batch, [&](const Batch& part, uint64_t) { by_teams(key, part, stream); });
  }

  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    with_direction(batch.direction, [&](auto way) {
      launch_key_each<Gpu>(kernels::team::GcmSiv<PerMessageKeysBatch, way()>{}, device, keys, batch, stream);
    });
  }

 private:
  /// The longest single message that is left to one warp: it takes a microsecond for each KiB of it, and the
  /// launches of a longer one some ten.
  static constexpr uint64_t kWarpBytes = 8192;

  static void by_teams(const LanePrivateKey& key, const Batch& batch, Stream stream) {
    WipedArguments<GcmSivBatch> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.keys = key.schedule.encryption();
    if (batch.host_nonce != nullptr) arguments.only_nonce = load_bytes(batch.host_nonce, 12);
    for_each_geometry(key.shape, siv_policy(key.shape.policy), batch, [&](const TeamGeometry& geometry) {
      arguments.distribution = geometry.distribution;
      with_direction(batch.direction, [&](auto way) {
        Gpu::run(kernels::team::GcmSiv<GcmSivBatch, way()>{}, key.target(), arguments, {geometry.blocks},
                 stream);
      });
    });
  }

  static void one_long(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    // Runs consist of whole groups of four rows.
    const WarpRuns geometry(key.shape, key.shape.policy.gcm_siv_threads, (batch.bytes - 1) / 16 + 1,
                            4 * kWarpLanes);
    WipedArguments<SivLongArguments> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    derive(arguments.key, key.schedule, batch.host_nonce);
    arguments.nonce = load_bytes(batch.host_nonce, 12);
    arguments.run_blocks = geometry.run_blocks;
    arguments.runs = geometry.runs;
    arguments.shared = {static_cast<StampedSum*>(workspace), next_launch_stamp()};
    const auto launch = [&](auto kernel) {
      Gpu::run(kernel, key.target(), arguments, {geometry.grid_blocks}, stream);
    };
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
      launch(kernels::grid::GcmSiv<SivWork::hash>{});
      launch(kernels::grid::GcmSiv<SivWork::crypt>{});
      return;
    }
    launch(kernels::grid::GcmSiv<SivWork::open>{});
  }

  /// The key derivation of RFC 8452 section 4, on the host, so that nothing waits for the device.
  static void derive(TeamKey& derived, const KeySchedule& schedule, const uint8_t* nonce) {
    const size_t key_bytes = static_cast<size_t>(schedule.key_bits() / 8), halves = 2 + key_bytes / 8;
    uint8_t blocks[16 * 6], bytes[8 * 6];
    for (size_t i = 0; i < halves; i++) {
      store_le32(blocks + 16 * i, static_cast<uint32_t>(i));
      std::copy_n(nonce, 12, blocks + 16 * i + 4);
    }
    careful_blocks(schedule.encryption(), schedule.rounds(), {blocks, 16 * halves});
    for (size_t i = 0; i < halves; i++) std::copy_n(blocks + 16 * i, 8, bytes + 8 * i);
    expand_key(bytes + 16, static_cast<int>(key_bytes / 4), derived.keys);
    fill_team_powers(derived.powers, {load_le64(bytes), load_le64(bytes + 8)}, kWarpLanes);
    OPENSSL_cleanse(bytes, sizeof bytes);
    OPENSSL_cleanse(blocks, sizeof blocks);
  }
};

}  // namespace warpaes::core
