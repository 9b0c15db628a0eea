// Key wrap of the C ABI.
#include "c_api/handles.hpp"
#include "modes/key_wrap.hpp"
#include "pipeline/host_run.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

void wrap(const warpaes_key* handle, Wrapping mode, const WrapRun& run) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().state().cpu_engine();
  require_valid_wrap(mode, run);
  try {
    key_wrap(engine, key.prepared(engine), mode, run);
  } catch (...) {
    wipe(run.output, wrapped_bytes(mode, run.bytes));
    throw;
  }
}

uint64_t unwrap(const warpaes_key* handle, Wrapping mode, const WrapRun& run) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().state().cpu_engine();
  require_valid_unwrap(mode, run);
  try {
    return key_unwrap(engine, key.prepared(engine), mode, run);
  } catch (...) {
    wipe(run.output, unwrapped_room(mode, run.bytes));
    throw;
  }
}

}  // namespace

warpaes_status warpaes_kw_wrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded([&] { wrap(key, Wrapping::kw, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kw_unwrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded([&] { unwrap(key, Wrapping::kw, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kwp_wrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded([&] { wrap(key, Wrapping::kwp, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kwp_unwrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes,
                                  uint64_t* message_bytes) {
  return guarded([&] {
    require(message_bytes, "message_bytes");
    *message_bytes = 0;
    *message_bytes = unwrap(key, Wrapping::kwp, {bytes_at(input), bytes_at(output), bytes});
  });
}
