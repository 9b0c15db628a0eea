// Looks up the pointers of device calls in the driver's tables before anything is launched. That costs less
// than a launch, and a host pointer that reached a kernel would cost the process its GPU.
#pragma once

#include <initializer_list>

#include "engines/engine.hpp"

namespace warpaes::core {

struct DevicePointer {
  const char* name;
  const void* pointer;
  uint64_t bytes;  // 0: the pointer is not looked up
  bool may_be_page_locked = false;
};

/// These throw MEMORY_SPACE, or what the look-up reported, with the pointer's name.
void require_on_device(int device, std::initializer_list<DevicePointer> pointers);
void require_on_device(int device, const Batch& batch);
void require_on_device(int device, const KeyArray& keys, uint64_t messages);

}  // namespace warpaes::core
