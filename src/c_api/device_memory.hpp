// Device calls' pointers, looked up in the driver's tables before anything is launched: that costs less
// than a launch, and a host pointer that went on to a kernel would cost the process its GPU.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace warpaes::c_api {

struct DevicePointer {
  const char* name;
  const void* pointer;
  uint64_t bytes;  // 0: not looked at
};

/// Throws MEMORY_SPACE, or what the look-up said, with the pointer's name.
void require_on_device(int device, std::initializer_list<DevicePointer> pointers);

}  // namespace warpaes::c_api
