// A device layer without a device: its "device memory" is host memory with a limit, every call of it can be
// made to fail, and everything that is freed or left behind is examined. It takes the place of src/device in
// the linker, so that the staging code runs unchanged, under the sanitizers. What is put on a stream is done
// as soon or as late as a GPU might do it, so work that does not wait for what it needs is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "device/device.hpp"

namespace warpaes::core::posing {

/// When a stream's work is done: when it is put there, when somebody waits for it, or at any time between.
enum class Pace { at_once, late, any };

struct Device {
  Pace pace = Pace::any;
  uint32_t seed = 1;  // of Pace::any
  size_t memory_limit = std::numeric_limits<size_t>::max();
  size_t pinned_limit = std::numeric_limits<size_t>::max();
  int copies_until_failure = -1;  // -1: never
  int calls_until_failure = -1;   // of any call of the layer or the engine; -1: never
  bool failure_is_fatal = false;  // the process has lost CUDA with it
  int failing_device = -1;        // only its calls are counted, and after the one that fails all of them fail
  bool host_memory_is_pinned = false;
  int engine_calls = 0;
  bool fails_self_test = false;   // but not that of GCM
  bool cpu_lacks_memory = false;  // in the self-test of its engine

  // Found out by the layer.
  int calls = 0;
  bool lost = false;
  int pins_asked = 0;  // how often it was asked whether host memory is pinned
  size_t memory_used = 0, pinned_used = 0;
  size_t dirty_bytes_freed = 0;     // not zero when the pool gave them back
  size_t dirty_bytes_unpinned = 0;  // not zero in a lane's parcel when that went
};

/// The one there is, reset by tests.
Device& device();

/// A call of the engine: `work` is put on the stream, or done at once if that is null.
void launch(Stream stream, std::function<void()> work);

/// Does this lie in one of the device buffers there are?
bool is_device_memory(const void* pointer, uint64_t bytes);

/// Bytes that are not zero in all device buffers there are.
size_t dirty_bytes();

}  // namespace warpaes::core::posing
