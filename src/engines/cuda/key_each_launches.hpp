// A batch with a key for each message, as launches of a kernel whose teams expand the keys.
#pragma once

#include <algorithm>

#include "engines/batch_message.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/team_geometry.hpp"

namespace warpaes::core {

inline int rounds_of(const KeyArray& keys) { return static_cast<int>(keys.bytes / 4) + 6; }

/// @tparam Arguments PerMessageKeysBatch, or what has more for its mode
/// @param threads of a block
/// @param launch (Arguments&, uint32_t blocks), with all filled in that a PerMessageKeysBatch has
template <class Arguments, class Launch>
void for_each_key_each_launch(const kernels::DeviceShape& shape, uint32_t threads, const KeyArray& keys,
                              const AeadBatch& batch, const Launch& launch) {
  for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
    const AeadBatch part = messages_of(batch, done, std::min(batch.messages - done, kMostLaunchMessages));
    Arguments arguments{};
    static_cast<MessageBatch&>(arguments) = described(part);
    const KeyArray part_keys = keys_from(keys, done);
    arguments.keys = part_keys.keys;
    arguments.key_stride = part_keys.stride;
    arguments.keys_at = part_keys.key_pointers;
    for_each_geometry(shape, threads, part, [&](const TeamGeometry& geometry) {
      arguments.distribution = geometry.distribution;
      launch(arguments, geometry.blocks);
    });
  }
}

}  // namespace warpaes::core
