// What the leak test times on an engine: a call of each mode on given memory.
#pragma once

#include <span>

#include "device/device.hpp"
#include "engines/engine.hpp"

namespace warpaes::core::leakage {

// Sizes of one message: one warp's work or two, for the small kernel (4 KiB, 256 KiB); and what all
// multiprocessors share (4 MiB), by tables alone or beside bit planes (128 MiB). Batches have the first two.
constexpr uint64_t kSmall = 4096, kMedium = 256 << 10, kLong = 4 << 20, kLongest = 128 << 20;
constexpr uint64_t kAllSizes[] = {kSmall, kMedium, kLong, kLongest};

constexpr uint64_t kMessageBytes = 1024;  // of a batch, which has as many messages as make that size
constexpr uint64_t kWrappedBytes = 32;    // or that are wrapped keys
constexpr uint64_t kCfb8Bytes = 128, kCfb1Bytes = 16;  // or whose modes take a block a byte, or a bit
constexpr uint64_t kMostMessages = kMedium / kCfb1Bytes;

/// What a call has beside its mode and size. Kernels are compiled for each size of key, and data at odd
/// addresses has kernels of its own.
struct Form {
  int key_bits;
  bool odd_addresses;  // input, output and ciphertext begin at addresses without a common alignment
};

struct Buffers {
  int key_bits;
  const uint8_t* input;
  uint8_t* output;
  uint8_t* ciphertext;  // what a mode that decrypts has been prepared
  uint8_t* tags;
  int32_t* statuses;
  uint64_t* lengths;
  const uint8_t* nonces;  // of a batch: always the same ones, unless the mode wants fresh ones
  DeviceBuffer& workspace;
  int device;
  const uint8_t* raw_key;  // in device memory
};

using ModeCall = void (*)(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                          const uint8_t* iv, Stream stream);

/// What is timed of each mode, of engines that have it.
struct TimedMode {
  const char* name;
  std::span<const uint64_t> sizes;
  bool (*is_in)(const Engine& engine);
  ModeCall call;
  /// Before the clock starts: makes the ciphertext and its tags. Null: the mode needs none.
  ModeCall prepare = nullptr;
  /// Both sets have other nonces each time: for GCM-SIV, whose counters begin at the tag. So a little of its
  /// work is told by the tag, which is public, and which must be as random in one set as in the other.
  bool fresh_nonces = false;
  /// Tags are prepared and then spoiled, in their first byte or in any.
  bool wrong_tags = false;

  /// Both sizes of keys that differ most; those messages that have kernels for odd addresses, there as well.
  std::span<const Form> forms() const;
};

std::span<const TimedMode> timed_modes();

/// Of any of those calls.
size_t workspace_bytes(const Engine& engine);

}  // namespace warpaes::core::leakage
