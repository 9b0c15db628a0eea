// Stores a few bytes of the host in device memory, in the order of the stream. The nonce, IV or tag of a
// single message comes from the caller's host memory, and kernels for batches read it from device memory.
//
// The bytes travel as parameters of the launch. So the call returns without waiting, needs no allocation and
// no pinned memory, and a CUDA graph that captures the launch keeps the bytes with it.
//
// Threads. One thread block, whose threads take turns with the bytes. Limits: the time of a launch. Timing
// class: strict.
#pragma once

#include <cstdint>

#include "kernels/kernel.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

struct StoreArguments {
  static constexpr uint32_t kMost = 256;

  uint8_t* to;
  uint64_t bytes;  // at most kMost
  uint8_t contents[kMost];
};

namespace kernels::grid {

struct StoreParameters : WithoutKey {
  static constexpr const char* kName = "grid/store_parameters";
  using Arguments = StoreArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy&, int) {
    return {.threads = 64, .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t step = thread.block_count() * thread.count();
    for (uint32_t at = thread.block() * thread.count() + thread.index(); at < arguments.bytes; at += step) {
      arguments.to[at] = arguments.contents[at];
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
