#include "pipeline/key_wrap_host.hpp"

#include "pipeline/context_state.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes {

void key_wrap_host(const Key& key, Wrapping mode, const WrapRun& run) {
  const Engine& engine = key.context().state().cpu_engine();
  require_valid_wrap(mode, run);
  try {
    key_wrap(engine, key.prepared(engine), mode, run);
  } catch (...) {
    wipe(run.output, wrapped_bytes(mode, run.bytes));
    throw;
  }
}

uint64_t key_unwrap_host(const Key& key, Wrapping mode, const WrapRun& run) {
  const Engine& engine = key.context().state().cpu_engine();
  require_valid_unwrap(mode, run);
  try {
    return key_unwrap(engine, key.prepared(engine), mode, run);
  } catch (...) {
    wipe(run.output, unwrapped_room(mode, run.bytes));
    throw;
  }
}

}  // namespace warpaes
