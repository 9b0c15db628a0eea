// A device layer without a device: its "device memory" is host memory with a limit, copies can be made to
// fail, and everything that is freed or left behind is examined. It takes the place of src/device in the
// linker, so that the staging code runs unchanged, under the sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace warpaes::core::posing {

struct Device {
  size_t memory_limit = std::numeric_limits<size_t>::max();
  int copies_until_failure = -1;  // -1: never
  int engine_calls = 0;
  bool fails_self_test = false;  // but not that of GCM

  // Found out by the layer.
  size_t memory_used = 0;
  size_t dirty_bytes_freed = 0;     // not zero when the pool gave them back
  size_t dirty_bytes_unpinned = 0;  // not zero in a lane's parcel when that went
};

/// The one there is, reset by tests.
Device& device();

void count_engine_call();

/// Does this lie in one of the device buffers there are?
bool is_device_memory(const void* pointer, uint64_t bytes);

/// Bytes that are not zero in all device buffers there are.
size_t dirty_bytes();

}  // namespace warpaes::core::posing
