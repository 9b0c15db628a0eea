// What all launches have in common in which each lane walks a message.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>

#include "engines/cuda/described_batch.hpp"
#include "engines/engine.hpp"
#include "kernels/kernel.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "kernels/warp/block_access.hpp"
#include "kernels/warp/shared_tiles.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/chaining.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core {

/// How many lanes walk messages or runs. If there are more messages than lanes, only so many warps take part
/// that all of them have the same number of messages, as far as possible: half of the warps in two turns
/// rather than all of them and then a few.
struct LaneGeometry {
  uint32_t blocks, warps;

  /// @param threads of a thread block
  LaneGeometry(const kernels::DeviceShape& shape, uint32_t threads, uint64_t messages) {
    const uint64_t multiprocessors = static_cast<uint64_t>(shape.multiprocessors);
    const uint64_t most = threads / kWarpLanes;
    const uint64_t tasks = (messages + kWarpLanes - 1) / kWarpLanes;
    const uint64_t tasks_per_block = (tasks - 1) / multiprocessors + 1;
    const uint64_t turns = (tasks_per_block - 1) / most + 1;
    blocks = static_cast<uint32_t>(std::min(tasks, multiprocessors));
    warps = static_cast<uint32_t>((tasks_per_block - 1) / turns + 1);
  }
};

/// How messages of modes that begin anywhere are cut into runs where there are fewer of them than lanes.
struct LaneRuns {
  uint32_t a_message = 1;
  uint64_t bytes = uint64_t{1} << 63;  // of a run: more than any message has

  LaneRuns() = default;
  /// @param lanes of the grid
  /// @param message_bytes of the longest message
  LaneRuns(uint64_t lanes, uint64_t messages, uint64_t message_bytes) {
    const uint64_t wanted = lanes / messages;
    if (wanted < 2 || message_bytes <= kLeast) return;
    const uint64_t share = std::max((message_bytes - 1) / wanted + 1, kLeast);
    bytes = (share + kTileBytes - 1) / kTileBytes * kTileBytes;
    a_message = static_cast<uint32_t>((message_bytes - 1) / bytes + 1);
  }

 private:
  static constexpr uint64_t kLeast = 4 * kTileBytes;  // what comes before a run's data should be less work
};

/// How many lanes a message can occupy.
inline uint64_t runs_of(const LaneArguments& arguments) { return arguments.runs; }
template <class Arguments>
uint64_t runs_of(const Arguments&) {
  return 1;
}

/// Sets a key for each message, from the launch's first message on.
inline void set_keys(LaneKeyArguments& arguments, const KeyArray& keys) {
  arguments.each = keys.keys;
  arguments.each_stride = keys.stride;
  arguments.keys_at = keys.key_pointers;
}

/// Sets the masks of CMAC, which are made from the key.
template <class Arguments>
void set_masks(Arguments& arguments, const KeySchedule& schedule) {
  MacBlock l{};
  careful_block(schedule.encryption(), schedule.rounds(), l.data(), l.data());
  MacMasks masks = cmac_subkeys(l);
  arguments.whole_mask = load_bytes(masks.whole.data(), 16);
  arguments.padded_mask = load_bytes(masks.padded.data(), 16);
  OPENSSL_cleanse(l.data(), l.size());
  OPENSSL_cleanse(&masks, sizeof masks);
}

/// Works on a batch in launches of a kernel in which each lane has a message.
/// @param describe (uint64_t first, uint64_t count), which fills in what the arguments say about these
///        messages
template <class Gpu, class Kernel, class Describe>
void launch_in_lanes(Kernel kernel, const kernels::LaunchTarget& target,
                     typename Kernel::Arguments& arguments, uint64_t messages, Stream stream,
                     const Describe& describe) {
  const uint32_t threads = kernel.policy(target.shape.policy, target.rounds).threads;
  for (uint64_t done = 0; done < messages; done += kMostLaunchMessages) {
    const uint64_t count = std::min(messages - done, kMostLaunchMessages);
    describe(done, count);
    const LaneGeometry geometry(target.shape, threads, count * runs_of(arguments));
    arguments.warps = geometry.warps;
    Gpu::run(kernel, target, arguments, {geometry.blocks}, stream);
  }
}

}  // namespace warpaes::core
