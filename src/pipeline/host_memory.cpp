#include <algorithm>
#include <numeric>

#include "engines/batch_message.hpp"
#include "modes/modes.hpp"
#include "pipeline/cpu_runs.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes {
namespace {

uint64_t bytes_of(const GcmBatch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  return std::accumulate(batch.lengths, batch.lengths + batch.messages, uint64_t{0});
}

}  // namespace

void ecb_host(const Key& key, Direction direction, const BlockRun& blocks) {
  require_valid_ecb(blocks);
  const Context& context = key.context();
  Context::State& state = context.state();
  run_on_host_memory(
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
  run_on_host_memory(
      context, work_of(context, span.bytes, UINT64_MAX, span.input, span.output), span.input == span.output,
      [&](const Engine& engine, StagedProgress& progress) {
        ctr_staged(engine, key.prepared(engine), state.staging, span, progress);
      },
      [&](const Engine& engine) { ctr_on_cpu(engine, key.prepared(engine), state.threads, span); },
      [&](Status) { wipe(span.output, span.bytes); });
}

namespace {

/// GCM by whatever engine suits it. `on_gpu` and `on_cpu` are as in run().
template <class OnGpu, class OnCpu>
void run_gcm(const Context& context, const GcmBatch& batch, const OnGpu& on_gpu, const OnCpu& on_cpu) {
  const bool may_be_in_place = batch.inputs || batch.outputs || batch.input == batch.output;
  const HostWork work = work_of(context, bytes_of(batch), batch.messages, batch.input, batch.output);
  run_on_host_memory(context, work, may_be_in_place, on_gpu, on_cpu, [&](Status status) {
    for (uint64_t i = 0; i < batch.messages; i++) {
      const BatchMessage message = message_of(batch, i);
      wipe(message.output, message.bytes);
      if (batch.direction == WARPAES_ENCRYPT) wipe(message.tag, batch.tag_bytes);
    }
    if (batch.direction == WARPAES_DECRYPT) std::fill_n(batch.statuses, batch.messages, status);
  });
}

}  // namespace

void gcm_host(const Key& key, const GcmBatch& batch) {
  require_valid_gcm(batch);
  require_valid_messages(batch);
  Context::State& state = key.context().state();
  run_gcm(
      key.context(), batch,
      [&](const Engine& engine, StagedProgress& progress) {
        if (is_regular(batch)) {
          gcm_staged(engine, key.prepared(engine), state.staging, batch, progress);
        } else {
          gcm_gathered(engine, {&key.prepared(engine), nullptr, 0}, state.staging, batch, progress);
        }
      },
      [&](const Engine& engine) { gcm_on_cpu(engine, key.prepared(engine), state.threads, batch); });
}

void gcm_key_each_host(const Context& context, const KeyArray& keys, const GcmBatch& batch) {
  require_valid_gcm_key_each(keys, batch);
  require_valid_messages(batch);
  Context::State& state = context.state();
  run_gcm(
      context, batch,
      [&](const Engine& engine, StagedProgress& progress) {
        gcm_gathered(engine, {nullptr, &keys, context.device()}, state.staging, batch, progress);
      },
      [&](const Engine& engine) {
        gcm_key_each_on_cpu(engine, context.device(), state.threads, keys, batch);
      });
}

}  // namespace warpaes
