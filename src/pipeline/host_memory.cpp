#include <openssl/crypto.h>

#include <algorithm>
#include <exception>
#include <numeric>

#include "device/device.hpp"
#include "engines/batch_message.hpp"
#include "failure.hpp"
#include "modes/modes.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/cpu_runs.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes {
namespace {

Status status_of(const std::exception_ptr& error) {
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
void run(const Context& context, const HostWork& work, bool in_place, const OnGpu& on_gpu,
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

void wipe(uint8_t* output, uint64_t bytes) {
  if (bytes > 0) OPENSSL_cleanse(output, bytes);
}

bool pinned(const uint8_t* input, const uint8_t* output) {
  return is_pinned(input) && (output == input || is_pinned(output));
}

HostWork work_of(const Context& context, uint64_t bytes, uint64_t shares, const uint8_t* input,
                 const uint8_t* output) {
  const bool matters = bytes > 0 && !context.forced() && context.has_device_engine();
  return {bytes, shares, matters && pinned(input, output)};
}

uint64_t bytes_of(const GcmBatch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  return std::accumulate(batch.lengths, batch.lengths + batch.messages, uint64_t{0});
}

}  // namespace

void ecb_host(const Key& key, Direction direction, const BlockRun& blocks) {
  require_valid_ecb(blocks);
  const Context& context = key.context();
  Context::State& state = context.state();
  run(
      context, work_of(context, blocks.bytes, UINT64_MAX, blocks.input, blocks.output),
      blocks.input == blocks.output,
      [&](const Engine& engine, StagedProgress& progress) {
        ecb_staged(engine, key.prepared(engine), state.staging, direction, blocks, progress);
      },
      [&](const Engine& engine) {
        ecb_on_cpu(engine, key.prepared(engine), state.threads, direction, blocks);
      },
      [&](Status) { wipe(blocks.output, blocks.bytes); });
}

void ctr_host(const Key& key, const CounterRun& span) {
  require_valid_ctr(span);
  const Context& context = key.context();
  Context::State& state = context.state();
  run(
      context, work_of(context, span.bytes, UINT64_MAX, span.input, span.output), span.input == span.output,
      [&](const Engine& engine, StagedProgress& progress) {
        ctr_staged(engine, key.prepared(engine), state.staging, span, progress);
      },
      [&](const Engine& engine) { ctr_on_cpu(engine, key.prepared(engine), state.threads, span); },
      [&](Status) { wipe(span.output, span.bytes); });
}

void gcm_host(const Key& key, const GcmBatch& batch) {
  require_valid_gcm(batch);
  require_valid_messages(batch);
  const Context& context = key.context();
  Context::State& state = context.state();
  const bool may_be_in_place = batch.inputs || batch.outputs || batch.input == batch.output;
  run(
      context, work_of(context, bytes_of(batch), batch.messages, batch.input, batch.output), may_be_in_place,
      [&](const Engine& engine, StagedProgress& progress) {
        const auto& staged = is_regular(batch) ? gcm_staged : gcm_gathered;
        staged(engine, key.prepared(engine), state.staging, batch, progress);
      },
      [&](const Engine& engine) { gcm_on_cpu(engine, key.prepared(engine), state.threads, batch); },
      [&](Status status) {
        for (uint64_t i = 0; i < batch.messages; i++) {
          const BatchMessage message = message_of(batch, i);
          wipe(message.output, message.bytes);
          if (batch.direction == WARPAES_ENCRYPT) wipe(message.tag, batch.tag_bytes);
        }
        if (batch.direction == WARPAES_DECRYPT) std::fill_n(batch.statuses, batch.messages, status);
      });
}

}  // namespace warpaes
