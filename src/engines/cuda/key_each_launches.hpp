// A batch with per-message keys, as launches of a kernel whose teams of lanes expand the keys.
#pragma once

#include "engines/batch.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/team_geometry.hpp"

namespace warpaes::core {

inline int rounds_of(const KeyArray& keys) { return static_cast<int>(keys.bytes / 4) + 6; }

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu, class Kernel>
void launch_key_each(Kernel kernel, int device, const KeyArray& keys, const Batch& batch, Stream stream) {
  const kernels::LaunchTarget target{device, Gpu::shape(device), rounds_of(keys)};
  const kernels::KernelPolicy policy = kernel.policy(target.shape.policy, target.rounds);
  for_each_launch(batch, [&](const Batch& part, uint64_t first) {
    typename Kernel::Arguments arguments{};
    static_cast<MessageBatch&>(arguments) = described(part);
    const KeyArray part_keys = keys_from(keys, first);
    arguments.keys = part_keys.keys;
    arguments.key_stride = part_keys.stride;
    arguments.keys_at = part_keys.key_pointers;
    for_each_geometry(target.shape, policy, part, [&](const TeamGeometry& geometry) {
      arguments.distribution = geometry.distribution;
      Gpu::run(kernel, target, arguments, {geometry.blocks}, stream);
    });
  });
}

}  // namespace warpaes::core
