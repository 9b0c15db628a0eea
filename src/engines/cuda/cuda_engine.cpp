#include "engines/cuda/cuda_engine.hpp"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "engines/cuda/gpu_engines.hpp"

namespace warpaes::core {
namespace {

/// Launches on the device of the key. If a launch fails, it throws a Failure that names the kernel.
struct CudaGpu {
  static kernels::DeviceShape shape(int device) {
    static std::mutex mutex;
    static std::map<int, kernels::DeviceShape> shapes;
    const std::lock_guard lock(mutex);
    const auto known = shapes.find(device);
    if (known != shapes.end()) return known->second;
    enter_cuda();
    const DeviceScope scope(device);
    kernels::DeviceShape shape{};
    check(static_cast<cudaError_t>(kernels::prepare_device(shape)), "setting up the kernels");
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
