#include "nvml.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>

namespace warpaes::bench {
namespace {

// Values from NVML's reference, for nvmlReturn_t and nvmlClockType_t.
constexpr int kSuccess = 0;
constexpr int kClockMultiprocessors = 1, kClockMemory = 2;
constexpr unsigned kVersionBytes = 80;

// Values of nvmlClocksEventReasons. The first one that is set is reported.
struct Reason {
  unsigned long long bits;
  const char* name;
};
constexpr Reason kReasons[] = {
    {0x04, "power"},            // SwPowerCap
    {0x20 | 0x40, "heat"},      // SwThermalSlowdown, HwThermalSlowdown
    {0x08 | 0x80, "hardware"},  // HwSlowdown, HwPowerBrakeSlowdown
};

}  // namespace

template <typename Function>
Function* Nvml::symbol(const char* name) const {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
}

Nvml::Nvml(int cuda_device) {
  char bus_id[32];  // needed because CUDA and NVML may number the devices differently
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

const char* Nvml::clock_held_by() const {
  using Query = int(Device, unsigned long long* reasons);
  auto query = symbol<Query>("nvmlDeviceGetCurrentClocksEventReasons");
  if (query == nullptr)
    query = symbol<Query>("nvmlDeviceGetCurrentClocksThrottleReasons");  // its name before R535
  unsigned long long reasons = 0;
  if (device_ == nullptr || query == nullptr || query(device_, &reasons) != kSuccess) return nullptr;
  const auto found = std::ranges::find_if(kReasons, [&](const Reason& r) { return (r.bits & reasons) != 0; });
  return found == std::end(kReasons) ? nullptr : found->name;
}

std::optional<int> Nvml::power_limit_watts() const {
  unsigned milliwatts = 0;
  const auto query = symbol<int(Device, unsigned* milliwatts)>("nvmlDeviceGetEnforcedPowerLimit");
  if (device_ == nullptr || query == nullptr || query(device_, &milliwatts) != kSuccess) return std::nullopt;
  return static_cast<int>(milliwatts / 1000);
}

std::optional<uint64_t> Nvml::energy_millijoules() const {
  unsigned long long millijoules = 0;
  const auto query = symbol<int(Device, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
  if (device_ == nullptr || query == nullptr || query(device_, &millijoules) != kSuccess) return std::nullopt;
  return millijoules;
}

std::optional<int> Nvml::highest_clock_mhz() const {
  return clock("nvmlDeviceGetMaxClockInfo", kClockMultiprocessors);
}

std::optional<int> Nvml::highest_memory_clock_mhz() const {
  return clock("nvmlDeviceGetMaxClockInfo", kClockMemory);
}

}  // namespace warpaes::bench
