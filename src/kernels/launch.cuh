// How CUDA runs a kernel that is written as kernel.hpp describes. Nothing else in src/ declares a __global__
// function or launches one. A .cu file includes this header and the kernel's, and instantiates
// Launcher<Kernel>. There are many such files so that they compile side by side.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <utility>

#include "kernels/device_thread.cuh"
#include "kernels/kernel.hpp"

namespace warpaes::core::kernels {

#if defined(__CUDA_ARCH__)
/// The policy of the architecture that is being compiled for. The host takes the policy of the architecture
/// whose code the driver chose.
constexpr LaunchPolicy kDevicePolicy = policy_for(__CUDA_ARCH__ / 10, WARPAES_NVCC_HAS_CLMAD);
#else
constexpr LaunchPolicy kDevicePolicy = policy_for(0, WARPAES_NVCC_HAS_CLMAD);
#endif

/// This function is empty on architectures that do not have the kernel.
template <class Kernel, int Rounds>
__global__ void __launch_bounds__(Kernel::policy(kDevicePolicy, Rounds).threads == 0
                                      ? kWarpLanes
                                      : Kernel::policy(kDevicePolicy, Rounds).threads,
                                  Kernel::policy(kDevicePolicy, Rounds).blocks)
    kernel_main(const __grid_constant__ typename Kernel::Arguments arguments) {
  constexpr KernelPolicy kPolicy = Kernel::policy(kDevicePolicy, Rounds);
  if constexpr (kPolicy.threads != 0) {
    DeviceThread thread;
    if constexpr (!awaits_itself(kPolicy)) thread.await_predecessors();
    Kernel::template run<kPolicy, Rounds>(thread, arguments);
  }
}

template <class Kernel, size_t... i>
constexpr auto kernels_by_rounds(std::index_sequence<i...> /*of Kernel::kRounds*/) {
  return std::array{&kernel_main<Kernel, Kernel::kRounds[i]>...};
}

/// The functions for the key sizes, in the order of Kernel::kRounds.
template <class Kernel>
const void* kernel_at(size_t index) {
  static constexpr auto kKernels =
      kernels_by_rounds<Kernel>(std::make_index_sequence<Kernel::kRounds.size()>{});
  return reinterpret_cast<const void*>(kKernels[index]);
}

extern std::atomic<uint64_t> launch_count;

template <class Kernel>
CudaError Launcher<Kernel>::launch(const typename Kernel::Arguments& arguments, int rounds,
                                   const GridSize& size, const LaunchPolicy& policy, Stream stream) {
  const size_t index = index_of_rounds<Kernel>(rounds);
  if (index == Kernel::kRounds.size()) return cudaErrorInvalidValue;
  const KernelPolicy block = Kernel::policy(policy, rounds);
  const uint32_t threads = size.threads == 0 ? block.threads : size.threads;
  launch_count.fetch_add(1, std::memory_order_relaxed);
  void* parameters[] = {const_cast<typename Kernel::Arguments*>(&arguments)};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(size.blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes_of(block, threads);
  config.stream = stream;
  // The thread blocks are started as soon as all those of the kernel before them have waited for what is
  // before that one, and there is room for them; then they wait themselves. CUDA C++ Programming Guide,
  // "Programmatic Dependent Launch and Synchronization".
  cudaLaunchAttribute ahead{};
  ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  ahead.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &ahead;
  config.numAttrs = policy.capability >= 90 ? 1 : 0;
  return cudaLaunchKernelExC(&config, kernel_at<Kernel>(index), parameters);
}

template <class Kernel>
CudaError Launcher<Kernel>::prepare(const LaunchPolicy& policy) {
  constexpr uint32_t kGivenUnasked = 48 * 1024;  // CUDA C++ Programming Guide, technical specifications
  for (size_t i = 0; i < Kernel::kRounds.size(); i++) {
    const KernelPolicy block = Kernel::policy(policy, Kernel::kRounds[i]);
    const uint32_t bytes = shared_bytes_of(block, block.threads);
    if (block.threads == 0 || bytes <= kGivenUnasked) continue;
    const cudaError_t error = cudaFuncSetAttribute(
        kernel_at<Kernel>(i), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <class Kernel>
CudaError Launcher<Kernel>::capability(int& found) {
  cudaFuncAttributes attributes{};
  const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel_at<Kernel>(0));
  found = attributes.ptxVersion;
  return error;
}

}  // namespace warpaes::core::kernels
