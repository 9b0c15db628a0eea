// Runs a kernel, as kernel.hpp describes it, on the emulated GPU: all threads have run to their end when the
// launch returns. This is the tests' counterpart of launch.cuh.
#pragma once

#include <stdexcept>
#include <utility>

#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/kernel.hpp"

namespace warpaes::core::kernels {

/// Runs the kernel for one of its key sizes.
template <const LaunchPolicy& kOn, class Kernel, int Rounds>
void emulate_rounds(const typename Kernel::Arguments& arguments, const GridSize& size) {
  constexpr KernelPolicy kBlock = Kernel::policy(kOn, Rounds);
  if constexpr (kBlock.threads != 0) {
    const uint32_t threads = size.threads == 0 ? kBlock.threads : size.threads;
    emulated::run({size.blocks, threads, shared_bytes_of(kBlock, threads)},
                  [&](emulated::EmulatedThread& thread) {
                    if constexpr (!awaits_itself(kBlock)) thread.await_predecessors();
                    Kernel::template run<kBlock, Rounds>(thread, arguments);
                    if (!thread.has_awaited()) {
                      throw std::logic_error("a thread has not waited for what comes before its kernel");
                    }
                  });
  }
}

/// @tparam kOn the policy of the architecture that is emulated
/// @return as Launcher's launch(): 0, or 1 (CUDA's cudaErrorInvalidValue) for a key size that the kernel does
///        not have
template <const LaunchPolicy& kOn, class Kernel>
CudaError emulate(const typename Kernel::Arguments& arguments, int rounds, const GridSize& size) {
  const size_t wanted = index_of_rounds<Kernel>(rounds);
  if (wanted == Kernel::kRounds.size()) return 1;
  [&]<size_t... i>(std::index_sequence<i...>) {
    (void)((i == wanted && (emulate_rounds<kOn, Kernel, Kernel::kRounds[i]>(arguments, size), true)) || ...);
  }(std::make_index_sequence<Kernel::kRounds.size()>{});
  return 0;
}

}  // namespace warpaes::core::kernels
