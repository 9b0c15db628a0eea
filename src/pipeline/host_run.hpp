// Runs a call on host memory on whichever engines suit it.
#pragma once

#include <openssl/crypto.h>

#include <exception>

#include "pipeline/context_state.hpp"
#include "pipeline/host_job.hpp"

namespace warpaes::core {

/// Runs a job on the engines that suit the work. Under automatic choice, the GPU and the CPU's threads share
/// what is long enough, and the CPU does what a GPU that fails has left undone. If the input of that is lost,
/// or the engine was forced, the output is made zero and the failure is thrown.
void run_job(const Context& context, const HostWork& work, const HostJob& job);

/// Who does a job: an engine on the context's GPUs, one on the CPU by these threads, or both.
struct Workers {
  const Engine* gpu;
  const Engine* cpu;
  WorkerThreads& threads;
};

/// Runs a job by these workers and nobody else. It also throws if a GPU fails whose work others have done. If
/// it throws, what has been written stays.
void run_job_by(const Workers& workers, const Context& context, const HostJob& job);

/// The status that a caller gets for this exception.
Status status_of(const std::exception_ptr& error);

inline void wipe(uint8_t* output, uint64_t bytes) {
  if (bytes > 0) OPENSSL_cleanse(output, bytes);
}

/// Does work whose arguments have been checked, so whatever it throws is a failure in the middle. No output
/// stays then.
template <class Work>
void or_wipe(uint8_t* output, uint64_t bytes, const Work& work) {
  try {
    work();
  } catch (...) {
    wipe(output, bytes);
    throw;
  }
}

/// Host memory from the first byte to the last one that a call reads or writes.
struct HostSpan {
  const uint8_t* data;
  uint64_t bytes;
  bool operator==(const HostSpan&) const = default;
};

inline HostWork work_of(const Context& context, uint64_t bytes, uint64_t shares, const HostSpan& input,
                        const HostSpan& output) {
  const auto pinned = [](const HostSpan& span) { return is_pinned(span.data, span.bytes); };
  const Context::State& state = context.state();
  // Short calls are the CPU's, if there is one, before the driver has looked up a pointer.
  const bool matters =
      bytes > 0 && context.has_device_engine() && (bytes >= state.sizes.least_for_gpu || !state.has_cpu());
  return {bytes, shares, matters && pinned(input) && (output == input || pinned(output))};
}

}  // namespace warpaes::core
