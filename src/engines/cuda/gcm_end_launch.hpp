// The launch that ends one GCM message whose parts several thread blocks have had.
#pragma once

#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/wipe_failed.hpp"
#include "kernels/grid/gcm_end.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
/// @param batch one message; without statuses, its tag is written in decryption as well, for a part of a
///        message
/// @param parts how many sums the launch before this one has published at `sums`
template <class Gpu>
void launch_gcm_end(const kernels::LaunchTarget& target, const Batch& batch, uint32_t parts, Gf128* sums,
                    Stream stream) {
  const GcmEndArguments arguments{described(batch), parts, sums};
  if (batch.direction == WARPAES_DIRECTION_ENCRYPT || batch.statuses == nullptr) {
    Gpu::run(kernels::grid::GcmEnd<Ciphertext::output>{}, target, arguments, {1}, stream);
    return;
  }
  launch_or_zero<Gpu>(target, {batch.statuses, batch.output, 0, batch.bytes, 1}, stream, [&] {
    Gpu::run(kernels::grid::GcmEnd<Ciphertext::input>{}, target, arguments, {1}, stream);
  });
}

}  // namespace warpaes::core
