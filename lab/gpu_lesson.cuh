// Makes the functions of a lesson's row (emulate, launch and resources) from its kernel. Everything that
// needs nvcc is in this file; a lesson that is compiled as C++ only has its emulated form.
//
// A lesson is a struct with `template <class Visit> static void choose(const Variant&, Visit)`, which calls
// visit(kernel) with the kernel of that variant. A kernel is an empty struct:
//     using Arguments = CipherArguments;             // made from a Task, taken by value
//     static constexpr int kMostThreads = 1024;      // of a thread block
//     static uint64_t grid(const Variant&, uint64_t blocks);   // thread blocks for so many AES blocks
//     static uint32_t shared_bytes(const Variant&);  // of a thread block
//     template <class Thread> static void run(Thread&, const Arguments&);
// CipherKernel has the usual form of these members.
#pragma once

#include <algorithm>

#include "emulated_gpu/emulated_grid.hpp"
#include "lab/cipher_arguments.hpp"

#if defined(__CUDACC__)
#include "device/cuda_error.hpp"
#include "kernels/device_thread.cuh"
#endif

namespace warpaes::core::lab {

/// As many thread blocks as cover the message, so that no thread needs a loop over it.
inline uint64_t covering_grid(const Variant& variant, uint64_t blocks) {
  const uint64_t share = uint64_t{variant.shape.threads} * variant.shape.blocks_per_thread;
  return (blocks + share - 1) / share;
}

struct CipherKernel {
  using Arguments = CipherArguments;
  static constexpr int kMostThreads = 1024;
  /// Is the grid as large as the GPU, and strides over the message? Kernels that first fill much shared
  /// memory do that. Other grids cover the message.
  static constexpr bool kStays = false;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return 0; }
};

/// Calls visit with Kernel<use>, for lessons of ECB and CTR.
template <template <Use> class Kernel, class Visit>
void choose_use(const Variant& variant, const Visit& visit) {
  if (variant.mode == Mode::ctr) {
    visit(Kernel<Use::ctr>{});
  } else if (variant.direction == WARPAES_DIRECTION_ENCRYPT) {
    visit(Kernel<Use::ecb_encrypt>{});
  } else {
    visit(Kernel<Use::ecb_decrypt>{});
  }
}

inline uint64_t blocks_of(const Task& task) { return (task.bytes + 15) / 16; }

/// @param resident how many thread blocks the GPU runs at a time
template <class Kernel>
uint32_t grid_of(const Task& task, uint64_t resident) {
  const Variant& variant = task.variant;
  if (variant.shape.grid != 0) return variant.shape.grid;
  const uint64_t covering = covering_grid(variant, blocks_of(task));
  const uint64_t most = Kernel::kStays ? resident : uint64_t{INT32_MAX};
  return static_cast<uint32_t>(std::min(covering, most));
}

template <class Kernels>
void emulate_lesson(const Task& task) {
  if (task.bytes == 0) return;
  Kernels::choose(task.variant, [&](auto kernel) {
    using Kernel = decltype(kernel);
    const typename Kernel::Arguments arguments(task);
    constexpr uint64_t kResident = 2;
    emulated::run(
        {grid_of<Kernel>(task, kResident), task.variant.shape.threads, Kernel::shared_bytes(task.variant)},
        [&](emulated::EmulatedThread& thread) { Kernel::run(thread, arguments); });
  });
}

#if defined(__CUDACC__)

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kMostThreads)
    lesson_kernel(const __grid_constant__ typename Kernel::Arguments arguments) {
  DeviceThread thread;
  Kernel::run(thread, arguments);
}

/// The resources of a kernel on the present device. Before asking, it allows the kernel the shared memory
/// that it needs.
template <class Kernel>
Resources resources_of(const Variant& variant) {
  const auto* const kernel = reinterpret_cast<const void*>(lesson_kernel<Kernel>);
  const int threads = static_cast<int>(variant.shape.threads);
  const int shared = static_cast<int>(Kernel::shared_bytes(variant));
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  if (attributes.maxDynamicSharedSizeBytes < shared) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "cudaFuncSetAttribute");
  }
  int blocks = 0, device = 0, places = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared),
        "the occupancy query");
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&places, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "cudaDeviceGetAttribute");
  return {attributes.numRegs,
          static_cast<int>(attributes.localSizeBytes),
          static_cast<int>(attributes.constSizeBytes),
          static_cast<int>(attributes.sharedSizeBytes) + shared,
          threads,
          blocks,
          static_cast<double>(blocks) * threads / places};
}

/// How many thread blocks the whole device runs at a time. The answer is kept, because a launch that is being
/// timed should not wait for it.
template <class Kernel>
uint64_t resident_blocks(const Variant& variant) {
  static thread_local struct {
    int device = -1;
    uint32_t threads = 0, shared = 0;
    uint64_t blocks = 0;
  } last;
  const uint32_t threads = variant.shape.threads, shared = Kernel::shared_bytes(variant);
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  if (last.device == device && last.threads == threads && last.shared == shared) return last.blocks;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  const int on_each = std::max(resources_of<Kernel>(variant).blocks_resident, 1);
  last = {device, threads, shared, static_cast<uint64_t>(multiprocessors) * static_cast<uint64_t>(on_each)};
  return last.blocks;
}

template <class Kernels>
void launch_lesson(const Task& task, Stream stream) {
  if (task.bytes == 0) return;
  Kernels::choose(task.variant, [&](auto kernel) {
    using Kernel = decltype(kernel);
    typename Kernel::Arguments arguments(task);
    if constexpr (requires { Kernel::prepare(arguments, stream); }) Kernel::prepare(arguments, stream);
    const uint64_t resident = Kernel::kStays ? resident_blocks<Kernel>(task.variant) : 0;
    void* parameters[] = {&arguments};
    check(cudaLaunchKernel(reinterpret_cast<const void*>(lesson_kernel<Kernel>),
                           dim3(grid_of<Kernel>(task, resident)), dim3(task.variant.shape.threads),
                           parameters, Kernel::shared_bytes(task.variant), stream),
          "the launch of a lesson's kernel");
  });
}

template <class Kernels>
Resources lesson_resources(const Variant& variant) {
  Resources resources{};
  Kernels::choose(variant, [&](auto kernel) { resources = resources_of<decltype(kernel)>(variant); });
  return resources;
}

#endif

/// The lesson's row with its functions filled in. The lesson itself says the rest.
template <class Kernels>
constexpr Lesson gpu_lesson(Lesson row) {
  row.machine = Machine::gpu;
  row.emulate = emulate_lesson<Kernels>;
#if defined(__CUDACC__)
  row.launch = launch_lesson<Kernels>;
  row.resources = lesson_resources<Kernels>;
#endif
  return row;
}

}  // namespace warpaes::core::lab
