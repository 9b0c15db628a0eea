#include "c_api/device_memory.hpp"

#include <string>

#include "device/device.hpp"
#include "failure.hpp"

namespace warpaes::c_api {

void require_on_device(int device, std::initializer_list<DevicePointer> pointers) {
  for (const DevicePointer& each : pointers) {
    if (each.bytes == 0) continue;
    const Status status = device_pointer_status(each.pointer, device);
    if (status == WARPAES_OK) continue;
    throw Failure(status, std::string(each.name) + " is not in the memory of device " +
                              std::to_string(device) +
                              ": allocate it there, or use the call for host memory");
  }
}

}  // namespace warpaes::c_api
