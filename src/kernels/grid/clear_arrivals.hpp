// Sets the arrival counters of a launch to zero (warp/part_sums.hpp), which are in the caller's workspace, of
// which nothing is known.
//
// It is a kernel and not a cudaMemsetAsync() because a kernel behind it may begin early: it fills its tables
// and does its work while the counters are being cleared, and waits for them only when it needs them.
//
// Threads. Each thread clears counters that are as far apart as there are threads. Limits: the time of a
// launch. Timing class: strict.
#pragma once

#include <cstdint>

#include "kernels/kernel.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

struct ClearArguments {
  uint32_t* arrivals;
  uint64_t count;
};

template <class Thread>
WARPAES_HOST_DEVICE void clear_arrivals(Thread& thread, const ClearArguments& arguments) {
  thread.let_next_launch_begin();
  const uint64_t step = uint64_t{thread.block_count()} * thread.count();
  uint64_t at = uint64_t{thread.block()} * thread.count() + thread.index();
  for (; at < arguments.count; at += step) arguments.arrivals[at] = 0;
}

namespace kernels::grid {

struct ClearArrivals : WithoutKey {
  static constexpr const char* kName = "grid/clear_arrivals";
  using Arguments = ClearArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy&, int) {
    return {.threads = 64, .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    clear_arrivals(thread, arguments);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
