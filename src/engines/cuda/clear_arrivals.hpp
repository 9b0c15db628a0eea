// Clears the arrival counters that a launch has at the beginning of its workspace.
#pragma once

#include <algorithm>

#include "kernels/grid/clear_arrivals.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
void clear_arrivals(const kernels::LaunchTarget& target, void* workspace, uint64_t count,
                    kernels::Stream stream) {
  constexpr uint64_t kThreads = 64;
  const uint64_t blocks = std::clamp<uint64_t>((count - 1) / kThreads + 1, 1,
                                               static_cast<uint64_t>(target.shape.multiprocessors));
  Gpu::run(kernels::grid::ClearArrivals{}, target, {static_cast<uint32_t*>(workspace), count},
           {static_cast<uint32_t>(blocks), kThreads}, stream);
}

}  // namespace warpaes::core
