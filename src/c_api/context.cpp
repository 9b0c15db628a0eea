// Contexts and their memory for bulk data, the engines and devices of this machine, and the library's
// version.

#include "c_api/handles.hpp"
#include "device/device.hpp"
#include "process/fork_locks.hpp"

#define WARPAES_TEXT_OF(token) #token
#define WARPAES_TEXT(token) WARPAES_TEXT_OF(token)

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

constexpr size_t kMostDevices = 1024;

void read_devices(ContextOptions& to, const warpaes_context_options& from) {
  to.all_devices = from.device_count == WARPAES_ALL_DEVICES && from.devices == nullptr;
  if (from.devices == nullptr && (from.device_count == 0 || to.all_devices)) {
    to.devices = {from.device};
  } else if (from.devices != nullptr && from.device_count != 0 && from.device_count <= kMostDevices) {
    to.devices.assign(from.devices, from.devices + from.device_count);
  } else {
    throw Failure(WARPAES_ERROR_OPTION, "options->devices and options->device_count do not go together");
  }
  if ((from.devices != nullptr || to.all_devices) && from.device != 0) {
    throw Failure(WARPAES_ERROR_OPTION, "options->device and options->devices: give one of them");
  }
}

ContextOptions checked(const warpaes_context_options* given) {
  const warpaes_context_options options = read_structure(given, "options");
  require_reserved(options.reserved, "options");
  if (options.timing > WARPAES_TIMING_STRICT) {
    throw Failure(WARPAES_ERROR_OPTION, "options->timing is no timing class");
  }
  ContextOptions checked;
  if (options.engine != nullptr) checked.engine = options.engine;
  read_devices(checked, options);
  checked.timing = options.timing;
  checked.threads = options.threads;
  return checked;
}

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

const char* warpaes_version(void) {
  return WARPAES_TEXT(WARPAES_VERSION_MAJOR) "." WARPAES_TEXT(WARPAES_VERSION_MINOR) "." WARPAES_TEXT(
      WARPAES_VERSION_PATCH);
}

warpaes_status warpaes_context_create(const warpaes_context_options* options, warpaes_context** context) {
  return guarded_into(context, "context", [&] {
    return new warpaes_context{Context(options != nullptr ? checked(options) : ContextOptions{})};
  });
}

void warpaes_context_destroy(warpaes_context* context) {
  const NotCancelled not_cancelled;  // while the context's threads end
  delete context;
}

warpaes_status warpaes_context_engine(const warpaes_context* context, uint64_t length, const char** name) {
  return guarded_into(name, "name", [&] {
    require(context, "context");
    return context->context.engine_for(length).name;
  });
}

warpaes_status warpaes_host_alloc(const warpaes_context* context, size_t length, void** memory) {
  return guarded_into(memory, "memory", [&] {
    require(context, "context");
    HostBuffer buffer(context->context, std::max<size_t>(length, 1));
    void* const data = buffer.data();
    const std::lock_guard lock(fork_safe_mutex(&context->memory));
    context->memory.emplace(data, std::move(buffer));
    return data;
  });
}

warpaes_status warpaes_host_free(const warpaes_context* context, void* memory) {
  return guarded([&] {
    require(context, "context");
    if (memory == nullptr) return;
    std::map<void*, HostBuffer>::node_type freed;  // is destroyed when the lock has been released
    const std::lock_guard lock(fork_safe_mutex(&context->memory));
    freed = context->memory.extract(memory);
    if (freed.empty()) {
      throw Failure(WARPAES_ERROR_OPTION, "this memory is not of this context's warpaes_host_alloc");
    }
  });
}

warpaes_status warpaes_engine_get(size_t index, warpaes_engine_info* info) {
  return guarded([&] {
    const warpaes_engine_info given = read_structure(info, "info");
    if (index >= engine_table().size()) {
      throw Failure(WARPAES_ERROR_OPTION, "there are {} engines, counted from 0, and none of number {}",
                    engine_table().size(), index);
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

warpaes_status warpaes_device_get(uint32_t device, warpaes_device_info* info) {
  return guarded([&] {
    const int number = static_cast<int>(std::min(device, uint32_t{INT32_MAX}));
    if (info == nullptr) return require_device(number);
    read_structure(info, "info");
    write_structure(info, device_info(number));
  });
}
