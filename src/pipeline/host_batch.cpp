// Batches of every mode in host memory, by whatever engine suits them.
#include <algorithm>
#include <numeric>

#include "modes/mode_table.hpp"
#include "pipeline/gcm_in_parts.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/share.hpp"
#include "pipeline/staged_batch.hpp"

namespace warpaes::core {
namespace {

/// In modes that chain, a message is one lane's work, some 20 MB/s: so many are needed for a GPU to outrun a
/// CPU and the bus.
constexpr uint64_t kFewestForGpu = 512;

uint64_t total_bytes(const Batch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  return std::accumulate(batch.lengths, batch.lengths + batch.messages, uint64_t{0});
}

void spoil(const Batch& batch, Status status) {
  for (uint64_t m = 0; m < batch.messages; m++) {
    const BatchMessage message = message_of(batch, m);
    tell(batch, m, {status, 0});
    if (message.status != WARPAES_OK) continue;
    wipe(message.output, message.output_bytes);
    if (writes_tags(batch)) wipe(message.tag, batch.tag_bytes);
  }
}

/// A byte of a message, in bytes of a mode that has a block of AES for 16 of them.
uint64_t cost_of_a_byte(warpaes_mode mode) {
  if (mode == WARPAES_MODE_CFB1) return 128;
  if (mode == WARPAES_MODE_CFB8) return 16;
  return mode == WARPAES_MODE_KW || mode == WARPAES_MODE_KWP ? 12 : 1;
}

/// What decides which engine is the fastest.
/// @param gpu_has_it has the context's GPU engine, if there is one?
HostWork work_of(const Context& context, const Batch& batch, bool gpu_has_it) {
  const ModeRow& mode = mode_row(batch.mode);
  const bool shares_messages = batch.mode == WARPAES_MODE_GCM;
  HostWork work = work_of(context, total_bytes(batch), shares_messages ? UINT64_MAX : batch.messages,
                          batch.input, mode.has_output ? batch.output : batch.input);
  const bool too_few = batch.messages < kFewestForGpu && (!mode.is_aead || mode.chains == Chains::always);
  const bool scattered = !mode.is_aead && !are_rows(batch);
  if (!gpu_has_it || too_few || scattered) work.bytes = 0;  // for the CPU, if there is one
  return work;
}

/// Calls part(batch, first) with parts of the batch, and where they begin, on the CPU's threads.
template <class Part>
void share_messages(WorkerThreads& threads, const Batch& batch, const Part& part) {
  const uint64_t bytes = total_bytes(batch) / batch.messages * cost_of_a_byte(batch.mode) + batch.aad_bytes;
  share(threads, batch.messages, bytes,
        [&](uint64_t first, uint64_t count) { part(part_of(batch, first, count), first); });
}

/// @param keys_for(engine) StagedKeys
/// @param on_cpu(engine)
template <class KeysFor, class OnCpu>
void run_on_host(const Context& context, const Batch& batch, const HostWork& work, const KeysFor& keys_for,
                 const OnCpu& on_cpu) {
  Context::State& state = context.state();
  const bool in_place =
      mode_row(batch.mode).has_output && (batch.inputs || batch.outputs || batch.input == batch.output);
  if (batch.statuses != nullptr) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
  run_on_host_memory(
      context, work, in_place,
      [&](const Engine& engine, StagedProgress& progress) {
        keys_for(engine, [&](const StagedKeys& keys) {
          const bool keys_listed = keys.each != nullptr && keys.each->key_pointers != nullptr;
          const auto run = are_rows(batch) && !keys_listed ? rows_staged : gathered_staged;
          run(engine, keys, state.staging, batch, progress);
        });
      },
      on_cpu, [&](Status status) { spoil(batch, status); });
}

/// Throws if the context has nothing but a GPU engine that does not take it: before anything is written.
/// @param takes,require of an engine
bool gpu_has_it(const Context::State& state, const auto& takes, const auto& require) {
  const Engine* const gpu = state.engine_on(Memory::device);
  if (gpu == nullptr) return false;
  if (state.engine_on(Memory::host) == nullptr) require(*gpu);
  return takes(*gpu);
}

}  // namespace

void batch_host(const Key& key, const Batch& batch, const Key* second) {
  if (batch.mode == WARPAES_MODE_XTS) require_valid_xts_keys(key, *second);
  require_valid_batch(batch);
  require_key_bits(batch.mode, key.key_bits());
  const Context& context = key.context();
  const bool on_gpu = gpu_has_it(
      context.state(), [&](const Engine& gpu) { return takes_batch(gpu, batch); },
      [&](const Engine& gpu) { require_takes_batch(gpu, batch); });
  if (batch.messages == 0) return;
  WorkerThreads& threads = context.state().threads;
  const auto key_for = [&](const Engine& engine) {
    return BatchKey{key.prepared(engine), key.key_bits(),
                    second == nullptr ? nullptr : &second->prepared(engine)};
  };
  run_on_host(
      context, batch, work_of(context, batch, on_gpu),
      [&](const Engine& engine, const auto& run) {
        const BatchKey one = key_for(engine);
        run(StagedKeys{&one, nullptr, 0});
      },
      [&](const Engine& engine) {
        const BatchKey on_cpu = key_for(engine);
        if (shares_gcm_messages(threads, batch)) return gcm_on_cpu(engine, on_cpu.prepared, threads, batch);
        share_messages(threads, batch, [&](const Batch& part, uint64_t) {
          run_batch(engine, on_cpu, part, nullptr, 0, nullptr);
        });
      });
}

void batch_key_each_host(const Context& context, const KeyArray& keys, const Batch& batch) {
  require_valid_batch_key_each(keys, batch);
  const bool on_gpu = gpu_has_it(
      context.state(), [&](const Engine& gpu) { return takes_batch_key_each(gpu, batch); },
      [&](const Engine& gpu) { require_takes_batch_key_each(gpu, batch); });
  if (batch.messages == 0) return;
  run_on_host(
      context, batch, work_of(context, batch, on_gpu),
      [&](const Engine&, const auto& run) { run(StagedKeys{nullptr, &keys, context.device()}); },
      [&](const Engine& engine) {
        share_messages(context.state().threads, batch, [&](const Batch& part, uint64_t first) {
          run_batch_key_each(engine, context.device(), keys_from(keys, first), part, nullptr);
        });
      });
}

}  // namespace warpaes::core
