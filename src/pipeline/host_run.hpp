// A call on host memory, on whichever engine suits it.
#pragma once

#include <openssl/crypto.h>

#include <exception>

#include "device/device.hpp"
#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes::core {

inline Status status_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    return failure.status();
  } catch (...) {
    return WARPAES_ERROR_INTERNAL;
  }
}

/// Runs on the engine that suits the work. If the GPU fails under automatic choice, the CPU does all of
/// the work, unless its input is lost: then, and in forced contexts, `spoil(status)` makes the output
/// zero and the failure is thrown.
template <class OnGpu, class OnCpu, class Spoil>
void run_on_host_memory(const Context& context, const HostWork& work, bool in_place, const OnGpu& on_gpu,
                        const OnCpu& on_cpu, const Spoil& spoil) {
  const Engine* engine = &context.engine_for(work);
  StagedProgress progress;
  try {
    if (engine->memory == Memory::device) {
      try {
        return on_gpu(*engine, progress);
      } catch (const Failure&) {
        const bool input_lost = in_place && progress.output_touched;
        engine = context.state().engine_on(Memory::host);
        if (!engine || input_lost) throw;
      }
    }
    progress.output_touched = true;
    on_cpu(*engine);
  } catch (...) {
    if (progress.output_touched) spoil(status_of(std::current_exception()));
    throw;
  }
}

inline void wipe(uint8_t* output, uint64_t bytes) {
  if (bytes > 0) OPENSSL_cleanse(output, bytes);
}

inline bool pinned(const uint8_t* input, const uint8_t* output) {
  return is_pinned(input) && (output == input || is_pinned(output));
}

inline HostWork work_of(const Context& context, uint64_t bytes, uint64_t shares, const uint8_t* input,
                        const uint8_t* output) {
  const bool matters = bytes > 0 && !context.forced() && context.has_device_engine();
  return {bytes, shares, matters && pinned(input, output)};
}

}  // namespace warpaes::core
