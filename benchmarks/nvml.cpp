#include "nvml.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace warpaes::bench {
namespace {

// From NVML's reference: nvmlReturn_t and nvmlClockType_t.
constexpr int kSuccess = 0;
constexpr int kClockMultiprocessors = 1, kClockMemory = 2;
constexpr unsigned kVersionBytes = 80;

}  // namespace

template <typename Function>
Function* Nvml::symbol(const char* name) const {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
}

Nvml::Nvml(int cuda_device) {
  char bus_id[32];  // CUDA and NVML may number the devices differently
  if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, cuda_device) != cudaSuccess) return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto init = symbol<int()>("nvmlInit_v2");
  const auto find = symbol<int(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || find == nullptr || init() != kSuccess) return;
  if (find(bus_id, &device_) != kSuccess) device_ = nullptr;
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  if (const auto shutdown = symbol<int()>("nvmlShutdown")) shutdown();
  dlclose(library_);
}

std::optional<std::string> Nvml::driver_version() const {
  char version[kVersionBytes] = {};
  const auto query = symbol<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
  if (device_ == nullptr || query == nullptr || query(version, sizeof version) != kSuccess)
    return std::nullopt;
  return version;
}

std::optional<int> Nvml::clock(const char* query_name, int clock_type) const {
  unsigned mhz = 0;
  const auto query = symbol<ClockQuery>(query_name);
  if (device_ == nullptr || query == nullptr || query(device_, clock_type, &mhz) != kSuccess)
    return std::nullopt;
  return static_cast<int>(mhz);
}

std::optional<int> Nvml::clock_mhz() const { return clock("nvmlDeviceGetClockInfo", kClockMultiprocessors); }

std::optional<int> Nvml::highest_clock_mhz() const {
  return clock("nvmlDeviceGetMaxClockInfo", kClockMultiprocessors);
}

std::optional<int> Nvml::highest_memory_clock_mhz() const {
  return clock("nvmlDeviceGetMaxClockInfo", kClockMemory);
}

}  // namespace warpaes::bench
