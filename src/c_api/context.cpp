// Contexts, and the library's version.
#include <string>

#include "c_api/structures.hpp"

#define WARPAES_TEXT_OF(token) #token
#define WARPAES_TEXT(token) WARPAES_TEXT_OF(token)

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

constexpr uint32_t kMostThreads = 4096;
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
  if (options.threads > kMostThreads) {
    throw Failure(WARPAES_ERROR_OPTION, "options->threads is " + std::to_string(options.threads) +
                                            ", and at most " + std::to_string(kMostThreads));
  }
  ContextOptions checked;
  if (options.engine != nullptr) checked.engine = options.engine;
  read_devices(checked, options);
  checked.timing = options.timing;
  checked.threads = options.threads;
  return checked;
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
