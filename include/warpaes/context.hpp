// Contexts, engines, devices and page-locked memory for C++20: context.h. A part of warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/context.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warpaes/context.h"
#include "warpaes/memory.hpp"

namespace warpaes {
inline namespace v0 {

/// What an engine's time may depend on, from worst to best: docs/side-channels.md.
enum class Timing : warpaes_timing {
  leaky = WARPAES_TIMING_LEAKY,
  conflict_free = WARPAES_TIMING_CONFLICT_FREE,
  strict = WARPAES_TIMING_STRICT,
};

/// Which engines do the work, as warpaes_context_options says.
struct ContextOptions {
  std::string engine = "auto";        ///< or a name such as "cuda", which then has no substitute
  int32_t device = 0;                 ///< the CUDA device
  Timing timing = Timing::leaky;      ///< the least that engines have to promise
  uint32_t threads = 0;               ///< of the CPU, for host memory; 0: one for each usable processor
  std::vector<int32_t> devices = {};  ///< instead of `device`: those that share calls on host memory
  bool all_devices = false;           ///< instead of both: all that there are
};

/// One row of a calibration: the kind of work, from which length of a call on it counts, and the speeds of
/// the CPU alone and with GPUs, in bytes a second.
using HostSpeed = warpaes_host_speed;
/// What calibrate() has measured: rows of HostSpeed, and whether they are stored for other processes.
using Calibration = warpaes_calibration;

/// Copies are the same context. It lives as long as one of them, or anything that was made with it.
class Context {
 public:
  /// Throws an Error if there is no such engine or device.
  explicit Context(const ContextOptions& options = {}) {
    warpaes_context_options plain = {};
    plain.size = sizeof plain;
    plain.engine = options.engine.c_str();
    plain.device = options.device;
    plain.timing = static_cast<warpaes_timing>(options.timing);
    plain.threads = options.threads;
    plain.devices = options.devices.empty() ? nullptr : options.devices.data();
    plain.device_count = options.all_devices ? WARPAES_ALL_DEVICES : options.devices.size();
    warpaes_context* made = nullptr;
    detail::require(warpaes_context_create(&plain, &made));
    handle_.reset(made, warpaes_context_destroy);
  }

  /// The name of the engine that calls of `length` bytes of host memory go to; a GPU's, where it and the
  /// CPU's threads share them.
  std::string_view engine(uint64_t length) const {
    const char* name = nullptr;
    detail::require(warpaes_context_engine(get(), length, &name));
    return name;
  }

  /// Measures how fast CPU and GPUs are together on host memory, which takes some seconds, and stores it for
  /// contexts like this one. Throws an Error with WARPAES_ERROR_UNSUPPORTED if the context was made for one
  /// engine, and with WARPAES_ERROR_FILE if the speeds could not be stored.
  Calibration calibrate() const {
    Calibration calibration = {};
    calibrate(calibration);
    return calibration;
  }
  /// The same. `calibration` is written as well if the speeds could only not be stored.
  void calibrate(Calibration& calibration) const {
    calibration.size = sizeof calibration;
    detail::require(warpaes_context_calibrate(get(), &calibration));
  }

  /// For calls of the C interface.
  warpaes_context* get() const { return handle_.get(); }
  /// For what has to keep the context alive.
  const std::shared_ptr<warpaes_context>& handle() const { return handle_; }

 private:
  std::shared_ptr<warpaes_context> handle_;
};

/// Host memory for bulk input and output: page-locked if the context has a GPU engine. It is zero at first,
/// and wiped at the end.
class HostBuffer {
 public:
  HostBuffer() = default;  ///< of no bytes
  /// @param length bytes
  HostBuffer(const Context& context, size_t length) : length_(length) {
    void* memory = nullptr;
    detail::require(warpaes_host_alloc(context.get(), length, &memory));
    memory_ = {static_cast<uint8_t*>(memory), Free{context.handle()}};
  }

  /// @name A contiguous range of bytes
  /// As std::vector has them; HostBuffer is an Input and an Output by them.
  /// @{
  uint8_t* data() { return memory_.get(); }
  const uint8_t* data() const { return memory_.get(); }
  size_t size() const { return memory_ == nullptr ? 0 : length_; }
  uint8_t* begin() { return data(); }
  uint8_t* end() { return data() + size(); }
  const uint8_t* begin() const { return data(); }
  const uint8_t* end() const { return data() + size(); }
  uint8_t& operator[](size_t index) { return data()[index]; }
  const uint8_t& operator[](size_t index) const { return data()[index]; }
  /// @}

 private:
  struct Free {
    std::shared_ptr<warpaes_context> context;
    void operator()(uint8_t* memory) const { (void)warpaes_host_free(context.get(), memory); }
  };
  std::unique_ptr<uint8_t[], Free> memory_;
  size_t length_ = 0;
};

/// What is known of an engine.
using EngineInfo = warpaes_engine_info;
/// A CUDA device.
using DeviceInfo = warpaes_device_info;

/// All engines, the best first, each after its self-test.
/// @param device what those on a GPU are asked about
inline std::vector<EngineInfo> engines(int32_t device = 0) {
  std::vector<EngineInfo> all;
  for (;;) {
    EngineInfo info = {};
    info.size = sizeof info;
    info.device = device;
    const Status status = warpaes_engine_get(all.size(), &info);
    if (status == WARPAES_ERROR_OPTION) return all;  // there is none of this number
    detail::require(status);
    all.push_back(info);
  }
}

/// Throws an Error with WARPAES_ERROR_NO_DEVICE if there is no device of that number.
inline DeviceInfo device_info(uint32_t device) {
  DeviceInfo info = {};
  info.size = sizeof info;
  detail::require(warpaes_device_get(device, &info));
  return info;
}

/// The number of CUDA devices; 0 without a driver.
inline uint32_t device_count() {
  for (uint32_t count = 0;; count++) {
    const Status status = warpaes_device_get(count, nullptr);
    if (status == WARPAES_ERROR_NO_DEVICE) return count;
    detail::require(status);
  }
}

/// All CUDA devices.
inline std::vector<DeviceInfo> devices() {
  const uint32_t count = device_count();
  std::vector<DeviceInfo> all;
  for (uint32_t device = 0; device < count; device++) all.push_back(device_info(device));
  return all;
}

}  // namespace v0
}  // namespace warpaes

#endif
