#include <algorithm>
#include <numeric>

#include "engines/batch_message.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "pipeline/cipher_batches.hpp"
#include "pipeline/cpu_runs.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes::core {
namespace {

uint64_t bytes_of(const AeadBatch& batch) {
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

/// May messages be copied as rows, one stride apart?
bool are_rows(const AeadBatch& batch) {
  return is_regular(batch) && (batch.input_stride != 0 || batch.bytes == 0 || batch.messages <= 1);
}

/// An AEAD mode by whatever engine suits it. `gpu_has_it`: has the context's GPU engine, if there is one?
/// `on_gpu` and `on_cpu` are as in run_on_host_memory().
template <class OnGpu, class OnCpu>
void run_aead(const Context& context, const AeadBatch& batch, bool gpu_has_it, const OnGpu& on_gpu,
              const OnCpu& on_cpu) {
  const bool may_be_in_place = batch.inputs || batch.outputs || batch.input == batch.output;
  HostWork work = work_of(context, bytes_of(batch), batch.messages, batch.input, batch.output);
  const bool too_few = mode_row(batch.mode).chains == Chains::always && batch.messages < kFewestForGpu;
  if (!gpu_has_it || too_few) work.bytes = 0;  // for the CPU, if there is one
  if (batch.statuses != nullptr) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
  run_on_host_memory(context, work, may_be_in_place, on_gpu, on_cpu, [&](Status status) {
    for (uint64_t i = 0; i < batch.messages; i++) {
      const BatchMessage message = message_of(batch, i);
      if (batch.statuses != nullptr) batch.statuses[i] = status;
      if (message.status != WARPAES_OK) continue;
      wipe(message.output, message.bytes);
      if (batch.direction == WARPAES_DIRECTION_ENCRYPT) wipe(message.tag, batch.tag_bytes);
    }
  });
}

/// Throws if the context has nothing but a GPU engine that does not take it: before anything is written.
/// @param has,require of an engine
bool gpu_has_it(const Context::State& state, const auto& has, const auto& require) {
  const Engine* const gpu = state.engine_on(Memory::device);
  if (gpu == nullptr) return false;
  if (state.engine_on(Memory::host) == nullptr) require(*gpu);
  return has(*gpu);
}

}  // namespace

void aead_host(const Key& key, const AeadBatch& batch, const Key* mac_key) {
  require_valid_aead(batch);
  require_aead_key(batch.mode, key.key_bits());
  Context::State& state = key.context().state();
  const auto key_for = [&](const Engine& engine) { return AeadKey{key.prepared(engine), key.key_bits()}; };
  const auto batch_for = [&](const Engine& engine) {
    AeadBatch prepared = batch;
    if (mac_key != nullptr) prepared.mac_key = &mac_key->prepared(engine);
    return prepared;
  };
  run_aead(
      key.context(), batch,
      gpu_has_it(
          state, [&](const Engine& gpu) { return takes_aead(gpu, batch); },
          [&](const Engine& gpu) { require_takes_aead(gpu, batch); }),
      [&](const Engine& engine, StagedProgress& progress) {
        const AeadKey aead_key = key_for(engine);
        if (are_rows(batch)) {
          aead_staged(engine, aead_key, state.staging, batch_for(engine), progress);
        } else {
          aead_gathered(engine, {&aead_key, nullptr, 0}, state.staging, batch_for(engine), progress);
        }
      },
      [&](const Engine& engine) { aead_on_cpu(engine, key_for(engine), state.threads, batch_for(engine)); });
}

void aead_key_each_host(const Context& context, const KeyArray& keys, const AeadBatch& batch) {
  require_valid_aead_key_each(keys, batch);
  Context::State& state = context.state();
  run_aead(
      context, batch,
      gpu_has_it(
          state, [&](const Engine& gpu) { return takes_aead_key_each(gpu, batch); },
          [&](const Engine& gpu) { require_aead_key_each(gpu, batch); }),
      [&](const Engine& engine, StagedProgress& progress) {
        aead_gathered(engine, {nullptr, &keys, context.device()}, state.staging, batch, progress);
      },
      [&](const Engine& engine) {
        aead_key_each_on_cpu(engine, context.device(), state.threads, keys, batch);
      });
}

}  // namespace warpaes::core
