// The key of the engine on bit planes, and how many threads its launches have.
#pragma once

#include <algorithm>

#include "engines/engine.hpp"
#include "kernels/kernel.hpp"
#include "kernels/warp/bitsliced_group.hpp"
#include "kernels/warp/ghash.hpp"
#include "primitives/bitsliced_keys.hpp"

namespace warpaes::core {

/// A key on bit planes. It lives on the host; kernels take the masks of one direction as parameters.
class BitslicedKey : public EngineKey {
 public:
  BitslicedKey(const KeySchedule& schedule, int on_device, const kernels::DeviceShape& device_shape)
      : round_keys(schedule.encryption()), rounds(schedule.rounds()), device(on_device), shape(device_shape) {
    fill_sliced_keys(encryption, schedule.encryption(), rounds);
    fill_sliced_decryption_keys(decryption, schedule.decryption(), rounds);
    fill_powers(powers, to_gf128(encrypted_zero()));
  }
  /// H, computed on bit planes as well, so that it needs no secret address either.
  Columns encrypted_zero() const {
    SlicedState state = slice_repeated(encryption.first);
    sliced_rounds(state, encryption, 1, rounds - 1);
    substitute_and_shift_rows(state);
    return unslice(state).block[0] ^ encryption.last;
  }

  kernels::LaunchTarget target() const { return {device, shape, rounds}; }

  RoundKeys round_keys;
  SlicedKeys encryption{}, decryption{};
  GhashPowers powers;
  int rounds;
  int device;
  kernels::DeviceShape shape;
};

/// How many threads a launch has: as many thread blocks as run at the same time. For a message with less
/// work, first the thread blocks on every multiprocessor get smaller, since the first blocks of a thread take
/// equally long whoever else is running.
struct SlicedGeometry {
  uint32_t blocks, threads;

  SlicedGeometry(const kernels::DeviceShape& shape, uint64_t message_blocks)
      : SlicedGeometry(shape, shape.policy.bitsliced_blocks, message_blocks) {}

  /// @param at_once how many thread blocks a multiprocessor runs at the same time
  SlicedGeometry(const kernels::DeviceShape& shape, int at_once, uint64_t message_blocks) {
    const uint64_t warps = (message_blocks - 1) / kSlicedWarpBlocks + 1;
    const uint64_t multiprocessors = static_cast<uint64_t>(shape.multiprocessors);
    const uint64_t most = static_cast<uint64_t>(shape.policy.bitsliced_threads) / kWarpLanes;
    const uint64_t each = std::min((warps - 1) / multiprocessors + 1, most);
    threads = static_cast<uint32_t>(each) * kWarpLanes;
    blocks = static_cast<uint32_t>(
        std::min((warps - 1) / each + 1, multiprocessors * static_cast<uint64_t>(at_once)));
  }

  kernels::GridSize size() const { return {blocks, threads}; }

  /// The length of a warp's run: if there is enough for all, so many groups that every warp has the same
  /// number.
  uint64_t run_blocks(uint64_t message_blocks) const {
    const uint64_t groups = (message_blocks - 1) / kSlicedWarpBlocks + 1,
                   warps = blocks * (threads / kWarpLanes);
    return ((groups - 1) / warps + 1) * kSlicedWarpBlocks;
  }
};

}  // namespace warpaes::core
