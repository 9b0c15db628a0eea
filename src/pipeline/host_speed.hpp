// How fast the GPU and the CPU are on host memory, measured where the program runs: a GPU behind a slow
// bus loses to many cores, and wins against few.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {

/// Bytes a second.
struct HostSpeed {
  double one_thread = 0, all_threads = 0;
  double gpu_pageable = 0, gpu_pinned = 0;

  bool gpu_is_faster(const HostWork& work) const;
};

/// Encrypts some memory with each, in some milliseconds. A GPU that fails at it counts as infinitely
/// slow.
HostSpeed measure_host_speed(const Context& context, const Engine& gpu, const Engine& cpu);

}  // namespace warpaes::core
