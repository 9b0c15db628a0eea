// The engines and devices of this machine.
#include <string>

#include "c_api/structures.hpp"
#include "device/device.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

/// Asks usable(). What that throws, for example for want of memory, becomes the reason why the engine is not
/// available.
Availability availability_of(const Engine& engine, int device) {
  try {
    return usable(engine, device);
  } catch (const Failure& failure) {
    return {false, failure.what()};
  }
}

}  // namespace

warpaes_status warpaes_engine_get(size_t index, warpaes_engine_info* info) {
  return guarded([&] {
    const warpaes_engine_info given = read_structure(info, "info");
    if (index >= engine_table().size()) {
      throw Failure(WARPAES_ERROR_OPTION, "there are " + std::to_string(engine_table().size()) +
                                              " engines, counted from 0, and none of number " +
                                              std::to_string(index));
    }
    const Engine& engine = *engine_table()[index];
    const Availability availability = availability_of(engine, given.device);
    warpaes_engine_info known = {};
    known.device = given.device;
    known.name = engine.name;
    known.kernel = engine.kernel;
    known.description = engine.description;
    known.timing = engine.timing;
    known.on_device = engine.memory == Memory::device;
    known.available = availability.available;
    known.failed_self_test = availability.failed_self_test;
    if (!availability.available) availability.reason.copy(known.reason, sizeof known.reason - 1);
    write_structure(info, known);
  });
}

warpaes_status warpaes_device_count(uint32_t* count) {
  return guarded_into(count, "count", [] { return static_cast<uint32_t>(device_count()); });
}

warpaes_status warpaes_device_get(uint32_t device, warpaes_device_info* info) {
  return guarded([&] {
    read_structure(info, "info");
    const uint32_t most = INT32_MAX;
    write_structure(info, device_info(static_cast<int>(std::min(device, most))));
  });
}
