// What the leak test times of an engine: a call of each mode on given memory.
#pragma once

#include <span>

#include "device/device.hpp"
#include "engines/engine.hpp"

namespace warpaes::leakage {

constexpr uint64_t kLargest = 256 << 10;
constexpr uint64_t kMessageBytes = 1024;  // of a batch, which has as many messages as make that size
constexpr uint64_t kWrappedBytes = 32;    // or that are wrapped keys

struct Buffers {
  const uint8_t* input;
  uint8_t* output;
  uint8_t* tags;
  int32_t* statuses;
  const uint8_t* nonces;  // of a batch: always the same ones
  DeviceBuffer& workspace;
  int device;
  const uint8_t* raw_key;  // in device memory
};

/// What is timed of each mode, of engines that have it.
struct TimedMode {
  const char* name;
  bool (*is_in)(const Engine& engine);
  void (*call)(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
               const uint8_t* iv, Stream stream);
};

std::span<const TimedMode> timed_modes();

/// Of any of those calls.
size_t workspace_bytes(const Engine& engine);

}  // namespace warpaes::leakage
