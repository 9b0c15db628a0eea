// Decides which calls of GCM and CTR go to the kernels for small messages and for batches of messages, and
// how many threads those get. All other calls go to the kernels of grid/ctr_gcm.hpp.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/key_each_launches.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/launch_stamp.hpp"
#include "engines/cuda/listed_launches.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/team/gcm.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class MessageLaunches {
 public:
  /// Encrypts or decrypts the batch if one of these kernels is made for it. @return was one?
  static bool gcm(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    if (is_small(key.shape, batch)) {
      small(key, batch, workspace, stream);
    } else if (ListedLaunches<Gpu>::takes(key.shape.policy, batch)) {
      uint32_t* const counter = ListedLaunches<Gpu>::free_counter(batch, workspace);
      if (batch.lengths != nullptr) one_key<RaggedBatch>(key, batch, counter, stream, kListedFrom);
      ListedLaunches<Gpu>::gcm(key, batch, workspace, stream);
    } else if (is_for_teams(key.shape, batch)) {
      auto* const counter = static_cast<uint32_t*>(workspace);
      if (batch.lengths != nullptr) {
        one_key<RaggedBatch>(key, batch, counter, stream);
      } else if (!is_regular(batch) || is_in_rows(batch)) {
        one_key<OneKeyBatch>(key, batch, counter, stream);
      } else {
        one_key<ShiftedBatch>(key, batch, counter, stream);
      }
    } else {
      return false;
    }
    return true;
  }

  /// CTR of at most small_bytes() bytes, whose counter does not wrap in 32 bits.
  static void counter(const LanePrivateKey& key, CounterBlock first, const CounterRun& run, Stream stream) {
    uint8_t before_first[16];
    store_counter(before_first, add32(first, 0xffffffff));
    WipedArguments<SmallMessages> arguments{};
    arguments.messages = 1;
    arguments.bytes = run.bytes;
    arguments.input = run.input;
    arguments.output = run.output;
    arguments.keys = key.schedule.encryption();
    arguments.initial = load_bytes(before_first, sizeof before_first);
    Gpu::run(kernels::team::SmallGcm<SmallWork::counter>{}, key.target(), arguments,
             {parts_of(key.shape, run.bytes)}, stream);
  }

  /// The longest small message: two blocks of the cipher for every thread, with one thread block on each
  /// multiprocessor.
  static uint64_t small_bytes(const kernels::DeviceShape& shape) {
    const uint64_t blocks = 2 * small_threads(shape) * static_cast<uint64_t>(shape.multiprocessors);
    return 16 * (std::min<uint64_t>(blocks, DigitPowers::kExponents / 2) - 1);
  }

  /// The workspace for the sums of a small message's parts, each of which is the work of a warp or more. The
  /// counter of a ragged batch takes less.
  static size_t workspace_bytes(uint64_t messages, uint64_t bytes) {
    const uint64_t parts = std::min<uint64_t>(bytes / (16 * kWarpLanes) + 1, kMostParts);
    return std::max<size_t>(parts * sizeof(StampedSum),
                            ListedLaunches<Gpu>::workspace_bytes(messages, bytes));
  }

  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    with_direction(batch.direction, [&](auto way) {
      launch_key_each<Gpu>(kernels::team::Gcm<PerMessageKeysBatch, way()>{}, device, keys, batch, stream);
    });
  }

 private:
  static constexpr uint64_t kMostParts = DigitPowers::kExponents / 2 / 32;

  static uint64_t small_threads(const kernels::DeviceShape& shape) {
    return static_cast<uint64_t>(shape.policy.small_threads);
  }

  static bool is_small(const kernels::DeviceShape& shape, const Batch& batch) {
    if (batch.aad_bytes > kTeamAadBytes) return false;
    if (batch.messages == 1) return is_regular(batch) && batch.bytes <= small_bytes(shape);
    return batch.messages <= 2 * static_cast<uint64_t>(shape.multiprocessors) &&
           batch.bytes <= one_part_bytes(shape);
  }

  /// The longest message that is done in one part: two blocks of the cipher a thread cost less than a second
  /// launch.
  static uint64_t one_part_bytes(const kernels::DeviceShape& shape) {
    return 16 * 2 * small_threads(shape) - 16;
  }

  static uint32_t parts_of(const kernels::DeviceShape& shape, uint64_t bytes) {
    if (bytes <= one_part_bytes(shape)) return 1;
    return static_cast<uint32_t>(std::min<uint64_t>((bytes + 15) / 16 / small_threads(shape) + 1,
                                                    static_cast<uint64_t>(shape.multiprocessors)));
  }

  static bool is_for_teams(const kernels::DeviceShape& shape, const Batch& batch) {
    if (!is_regular(batch)) return true;
    if (batch.messages == 1 || batch.bytes > kTeamBytes || batch.aad_bytes > kTeamAadBytes) return false;
    const uint64_t warps = warps_of(shape, static_cast<uint32_t>(shape.policy.counter_threads));
    return batch.bytes <= kSmallTeamBytes || 2 * batch.messages >= warps;
  }

  static void small(const LanePrivateKey& key, const Batch& batch, void* workspace, Stream stream) {
    WipedArguments<SmallMessages> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.keys = key.schedule.encryption();
    arguments.powers = key.digits;
    if (batch.host_nonce != nullptr) {
      Ghash ghash(key.powers.h());
      uint8_t j0[16];
      store_counter(j0, gcm_initial_counter(ghash, batch.host_nonce, batch.host_nonce_bytes));
      arguments.initial = load_bytes(j0, sizeof j0);
    }
    arguments.shared = {static_cast<StampedSum*>(workspace), next_launch_stamp()};
    with_direction(batch.direction, [&](auto way) {
      constexpr SmallWork kWork =
          way() == WARPAES_DIRECTION_ENCRYPT ? SmallWork::encrypt : SmallWork::decrypt;
      if (batch.messages != 1) {
        constexpr kernels::team::SmallGcm<kWork, SmallCount::many> kKernel;
        return Gpu::run(kKernel, key.target(), arguments, {arguments.messages}, stream);
      }
      const uint32_t parts = parts_of(key.shape, batch.bytes);
      if (parts == 1) return Gpu::run(kernels::team::SmallGcm<kWork>{}, key.target(), arguments, {1}, stream);
      constexpr kernels::team::SmallGcm<kWork, SmallCount::shared> kShared;
      Gpu::run(kShared, key.target(), arguments, {parts}, stream);
    });
  }

  /// @tparam OneKey OneKeyBatch, RaggedBatch or ShiftedBatch
  /// @param counter in device memory, for the messages of a ragged batch that warps have taken
  /// @param most as for_each_geometry()
  template <class OneKey>
  static void one_key(const LanePrivateKey& key, const Batch& batch, uint32_t* counter, Stream stream,
                      uint64_t most = UINT64_MAX) {
    WipedArguments<OneKey> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.key.keys = key.schedule.encryption();
    const kernels::KernelPolicy policy =
        kernels::with_tables(key.shape.policy.tables, key.shape.policy.counter_threads);
    const auto launch = [&](TeamGeometry geometry) {
      const bool claims = geometry.separate(batch, warps_of(key.shape, policy.threads));
      if constexpr (requires { arguments.claimed; }) {
        if (claims) Gpu::zero(key.target(), counter, sizeof *counter, stream);
        arguments.claimed = claims ? counter : nullptr;
      }
      arguments.distribution = geometry.distribution;
      fill_team_powers(arguments.key.powers, key.powers.h(), geometry.distribution.lanes);
      with_direction(batch.direction, [&](auto way) {
        Gpu::run(kernels::team::Gcm<OneKey, way()>{}, key.target(), arguments, {geometry.blocks}, stream);
      });
    };
    for_each_geometry(key.shape, policy, batch, launch, most);
  }
};

}  // namespace warpaes::core
