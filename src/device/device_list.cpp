#include <fmt/format.h>

#include <cstring>

#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes::core {

int device_count(std::string* reason) {
  try {
    require_cuda_alive();
    int driver = 0, count = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    if (driver == 0) throw Failure(WARPAES_ERROR_NO_DEVICE, "no NVIDIA driver is installed");
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    enter_cuda();  // not before: a process without a GPU may fork as it likes
    return count;
  } catch (const Failure& failure) {
    if (reason) *reason = failure.what();
    return 0;
  }
}

void require_device(int device) {
  std::string reason;
  const int count = device_count(&reason);
  if (device >= 0 && device < count) return;
  if (!reason.empty()) throw Failure(WARPAES_ERROR_NO_DEVICE, "no CUDA device: " + reason);
  throw Failure(WARPAES_ERROR_NO_DEVICE,
                fmt::format("no CUDA device {}: this machine has {}", device,
                            count == 0   ? "none"
                            : count == 1 ? "device 0 only"
                                         : fmt::format("devices 0 to {}", count - 1)));
}

warpaes_device_info device_info(int device) {
  require_device(device);
  const DeviceScope scope(device);
  const BesideCaptures allowed;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  size_t memory_free = 0, total_bytes = 0;
  check(cudaMemGetInfo(&memory_free, &total_bytes), "cudaMemGetInfo");

  warpaes_device_info info = {};
  static_assert(sizeof info.name <= sizeof properties.name);
  std::memcpy(info.name, properties.name, sizeof info.name);
  info.name[sizeof info.name - 1] = '\0';
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  info.memory_size = total_bytes;
  info.memory_free = memory_free;
  check(cudaDriverGetVersion(&info.driver_version), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&info.runtime_version), "cudaRuntimeGetVersion");
  return info;
}

}  // namespace warpaes::core
