#include "c_api/handles.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

ContextOptions checked(const warpaes_context_options& options) {
  require_layout(options, "options", "warpaes_context_options");
  if (options.timing < WARPAES_TIMING_LEAKY || options.timing > WARPAES_TIMING_STRICT) {
    throw Failure(WARPAES_ERROR_OPTION, "options.timing is no timing class");
  }
  ContextOptions checked;
  if (options.engine) checked.engine = options.engine;
  checked.device = options.device;
  checked.timing = options.timing;
  checked.threads = options.threads;
  return checked;
}

}  // namespace

warpaes_status warpaes_context_create(const warpaes_context_options* options, warpaes_context** context) {
  return guarded([&] {
    require(context, "context");
    *context = nullptr;
    *context = new warpaes_context{Context(options ? checked(*options) : ContextOptions{})};
  });
}

void warpaes_context_destroy(warpaes_context* context) { delete context; }

const char* warpaes_context_engine(const warpaes_context* context, uint64_t bytes) {
  const char* name = "";
  guarded([&] {
    require(context, "context");
    name = context->context.engine_for(bytes).name;
  });
  return name;
}

warpaes_status warpaes_key_create(warpaes_context* context, const void* key, size_t key_bytes,
                                  warpaes_key** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    require(context, "context");
    require(key, "key");
    *out = new warpaes_key{Key(context->context, {bytes_at(key), key_bytes})};
  });
}

void warpaes_key_destroy(warpaes_key* key) { delete key; }
