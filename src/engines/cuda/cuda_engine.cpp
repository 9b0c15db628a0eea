#include "engines/cuda/cuda_engine.hpp"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "engines/cuda/gpu_engines.hpp"
#include "process/fork_locks.hpp"

namespace warpaes::core {
namespace {

/// Launches on the device of the key. If a launch fails, it throws a Failure that names the kernel.
struct CudaGpu {
  static kernels::DeviceShape shape(int device) {
    // Never destroyed: ciphers are also made while the process ends.
    static auto& shapes = *new std::map<int, kernels::DeviceShape>;
    std::mutex& mutex = fork_safe_mutex(&shapes);
    {
      const std::lock_guard lock(mutex);
      if (const auto known = shapes.find(device); known != shapes.end()) return known->second;
    }
    // Not under the lock, at which a fork would wait: whoever asks meanwhile does the same.
    enter_cuda();
    const DeviceScope scope(device);
    const BesideCaptures allowed;
    kernels::DeviceShape shape{};
    check(static_cast<cudaError_t>(kernels::prepare_device(shape)), "setting up the kernels");
    const std::lock_guard lock(mutex);
    return shapes.emplace(device, shape).first->second;
  }

  template <class Kernel>
  static void run(Kernel, const kernels::LaunchTarget& target, const typename Kernel::Arguments& arguments,
                  const kernels::GridSize& size, Stream stream) {
    const cudaError_t result = on_device(target.device, stream, [&] {
      return kernels::Launcher<Kernel>::launch(arguments, target.rounds, size, target.shape.policy, stream);
    });
    if (result != cudaSuccess) check(result, (std::string("launching the kernel ") + Kernel::kName).c_str());
  }

  static void zero(const kernels::LaunchTarget& target, void* memory, size_t bytes, Stream stream) {
    check(on_device(target.device, stream, [&] { return cudaMemsetAsync(memory, 0, bytes, stream); }),
          "clearing device memory");
  }

 private:
  template <class Call>
  static cudaError_t on_device(int device, Stream stream, const Call& call) {
    enter_cuda();
    const DeviceScope scope(device);
    require_stream_of(device, stream);
    return static_cast<cudaError_t>(call());
  }
};

Availability available(int device) {
  try {
    std::string reason;
    const int count = device_count(&reason);
    if (count == 0) return {false, reason};
    require_device(device);
    CudaGpu::shape(device);
    return {true, ""};
  } catch (const Failure& failure) {
    if (failure.is_passing()) throw;
    return {false, failure.what()};
  }
}

}  // namespace

constinit const Engine cuda_lane_private_tables = lane_private_engine<CudaGpu>(
    {.name = "cuda",
     .kernel = "lane_private_tables",
     .description =
         "NVIDIA GPU: T-tables in shared memory, one copy a lane; GHASH on the carry-less multiplier",
     .timing = WARPAES_TIMING_CONFLICT_FREE,
     .memory = Memory::device,
     .available = available});

constinit const Engine cuda_bitsliced = bitsliced_engine<CudaGpu>(
    {.name = "cuda",
     .kernel = "bitsliced",
     .description = "NVIDIA GPU: bit planes and logic instructions, no tables and no secret addresses",
     .timing = WARPAES_TIMING_STRICT,
     .memory = Memory::device,
     .available = available});

}  // namespace warpaes::core
