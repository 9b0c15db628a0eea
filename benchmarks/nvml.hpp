// NVIDIA's management library, which is loaded at run time: driver version, clocks and energy. It is only
// read from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpaes::bench {

class Nvml {
 public:
  /// If there is no such library or device, everything below is empty.
  explicit Nvml(int cuda_device);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::optional<std::string> driver_version() const;
  std::optional<int> clock_mhz() const;  // of the multiprocessors, now
  /// What keeps that clock from being the highest at the moment: "power", "heat", or "hardware" (a brake, or
  /// a slowdown that the board asks for). Null: none of these.
  const char* clock_held_by() const;
  std::optional<int> highest_clock_mhz() const;
  std::optional<int> highest_memory_clock_mhz() const;
  std::optional<int> power_limit_watts() const;
  /// The energy that the GPU has used since its driver was loaded. NVML documents neither how often this
  /// number grows nor how exact it is.
  std::optional<uint64_t> energy_millijoules() const;

 private:
  using Device = struct nvmlDevice_st*;
  using ClockQuery = int(Device, int clock_type, unsigned* mhz);

  template <typename Function>
  Function* symbol(const char* name) const;
  std::optional<int> clock(const char* query, int clock_type) const;

  void* library_ = nullptr;
  Device device_ = nullptr;
};

}  // namespace warpaes::bench
