#include <cstring>
#include <string>

#include "c_api/handles.hpp"
#include "device/device.hpp"

#define WARPAES_TEXT_OF(token) #token
#define WARPAES_TEXT(token) WARPAES_TEXT_OF(token)

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

/// usable(), with what it throws (no memory to run the self-test) as one more reason.
Availability availability_of(const Engine& engine) {
  try {
    return usable(engine, 0);
  } catch (const Failure& failure) {
    return {false, failure.what()};
  }
}

}  // namespace

const char* warpaes_version(void) {
  return WARPAES_TEXT(WARPAES_VERSION_MAJOR) "." WARPAES_TEXT(WARPAES_VERSION_MINOR) "." WARPAES_TEXT(
      WARPAES_VERSION_PATCH);
}

size_t warpaes_engine_count(void) { return engine_table().size(); }

warpaes_status warpaes_engine_get(size_t index, warpaes_engine_info* info) {
  return guarded([&] {
    require(info, "info");
    if (index >= engine_table().size()) {
      throw Failure(WARPAES_ERROR_UNKNOWN_ENGINE, "there are " + std::to_string(engine_table().size()) +
                                                      " engines, and none of number " +
                                                      std::to_string(index));
    }
    const Engine& engine = *engine_table()[index];
    const Availability availability = availability_of(engine);
    *info = {engine.name,
             engine.kernel,
             engine.description,
             engine.timing,
             engine.memory == Memory::device,
             availability.available,
             {}};
    if (!availability.available) availability.reason.copy(info->reason, sizeof info->reason - 1);
  });
}

int warpaes_device_count(void) {
  int count = 0;
  guarded([&] { count = device_count(); });
  return count;
}

warpaes_status warpaes_device_get(int device, warpaes_device_info* info) {
  return guarded([&] {
    require(info, "info");
    *info = device_info(device);
  });
}
