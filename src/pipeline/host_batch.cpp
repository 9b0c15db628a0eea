// Does batches of every mode in host memory by whatever engine suits them.
#include <algorithm>

#include "modes/siv.hpp"
#include "pipeline/gcm_in_parts.hpp"
#include "pipeline/gcm_shared.hpp"
#include "pipeline/staged_batch.hpp"

namespace warpaes::core {
namespace {

/// In modes that chain, a message is the work of one lane of a GPU, which does some 20 MB/s. It takes so many
/// messages for the GPU to be faster than a CPU and the bus.
constexpr uint64_t kFewestForGpu = 512;

/// What of a batch decides which engine is the fastest.
/// @param on_gpu the context has a GPU engine that takes the batch
HostWork work_of(const Context& context, const Batch& batch, bool on_gpu) {
  const ModeRow& mode = mode_row(batch.mode);
  const bool shares_messages = batch.mode == WARPAES_MODE_GCM;
  const uint64_t gaps = batch.messages - 1, output_bytes = mode.lengths(batch.direction).output(batch.bytes);
  const HostSpan input{batch.input, gaps * batch.input_stride + batch.bytes},
      output{batch.output, gaps * batch.output_stride + output_bytes};
  HostWork work = work_of(context, total_bytes(batch), shares_messages ? UINT64_MAX : batch.messages, input,
                          mode.has_output ? output : input);
  work.kind = work_kind(batch.mode, batch.direction);
  const bool too_few = batch.messages < kFewestForGpu && (!mode.is_aead || mode.chains == Chains::always);
  const bool scattered = !mode.is_aead && !are_rows(batch);
  if (!on_gpu || too_few || scattered) work.bytes = 0;  // for the CPU, if there is one
  return work;
}

/// Gives this status to messages that have OK, when a call has failed. What it had written is zero, and the
/// statuses say why. But where it had not yet begun, they still say that all is well.
void deny(const Batch& batch, Status status) {
  for (uint64_t m = 0; m < batch.messages; m++) {
    if (batch.statuses[m] == WARPAES_OK) tell(batch, m, {status, 0});
  }
}

/// May there be messages that must be left alone? Rows are copied as they lie, so these would be overwritten.
bool refuses_some(const HostBatchKeys& keys, const Batch& batch) {
  if (keys.each == nullptr) return false;
  if (keys.each->key_pointers != nullptr) return true;
  if (batch.mode != WARPAES_MODE_XTS) return false;
  for (uint64_t m = 0; m < batch.messages; m++) {
    if (message_of(batch, keys.each, m).status != WARPAES_OK) return true;
  }
  return false;
}

/// Has the context a GPU engine that takes the batch? Throws, before anything is written, if that engine does
/// not and is the only one.
bool gpu_has_it(const HostBatchKeys& keys, const Batch& batch) {
  const Context::State& state = keys.context.state();
  const Engine* const gpu = state.engine_on(Memory::device);
  if (gpu == nullptr) return false;
  const bool key_each = keys.each != nullptr;
  if (!state.has_cpu()) require_takes_batch(*gpu, batch, key_each);
  return takes_batch(*gpu, batch, key_each);
}

void run_on_host(const HostBatchKeys& keys, const Batch& batch) {
  const bool on_gpu = gpu_has_it(keys, batch);
  if (batch.messages == 0) return;
  HostWork work = work_of(keys.context, batch, on_gpu);
  const bool shared = keys.each == nullptr && is_for_gcm_shared(keys.context, batch, work);
  const bool gathered = !are_rows(batch) || refuses_some(keys, batch);
  if (gathered) work.pinned = false;  // the host copies every message, wherever it lies
  if (batch.statuses != nullptr) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
  try {
    if (shared) return gcm_shared(*keys.one, batch);
    run_job(keys.context, work, *(gathered ? gathered_job(keys, batch) : rows_job(keys, batch, work.pinned)));
  } catch (...) {
    if (batch.statuses != nullptr) deny(batch, status_of(std::current_exception()));
    throw;
  }
}

/// Does work whose arguments have been checked, so whatever it throws is a failure in the middle.
void or_spoil(const Batch& message, const auto& work) {
  try {
    work();
  } catch (...) {
    spoil(message, status_of(std::current_exception()));
    throw;
  }
}

/// Is the message done by the thread that calls, on a CPU engine? Long ones may be shared with the GPU, or
/// with the context's other threads.
bool is_for_caller(const Context::State& state, const Batch& message) {
  if (state.engine_on(Memory::device) != nullptr && message.bytes >= state.sizes.least_for_gpu) return false;
  return !shares_gcm_messages(state.threads, message);
}

}  // namespace

void message_host(const Key& key, const Batch& message, const Key* second) {
  const Context::State& state = key.context().state();
  const Engine* const cpu = state.engine_on(Memory::host);
  if (cpu == nullptr || !is_for_caller(state, message)) return batch_host(key, message, second);
  *message.statuses = WARPAES_OK;
  or_spoil(message, [&] {
    const BatchKey prepared = HostBatchKeys{key.context(), &key, second, nullptr}.prepared(*cpu, 0);
    run_checked_batch(*cpu, prepared, message, nullptr, nullptr);
  });
}

void siv_host(const Key& key, const Batch& message, const Key* mac_key) {
  const Engine& cpu = key.context().state().cpu_engine();
  or_spoil(message, [&] {
    siv_messages(cpu, mac_key->prepared(cpu), [&key](const CounterRun& run) { ctr_host(key, run); }, message);
  });
}

void batch_host(const Key& key, const Batch& batch, const Key* second) {
  if (batch.mode == WARPAES_MODE_XTS) require_valid_xts_keys(key, *second);
  require_valid_batch(batch);
  require_key_bits(batch.mode, key.key_bits());
  run_on_host({key.context(), &key, second, nullptr}, batch);
}

void batch_key_each_host(const Context& context, const KeyArray& keys, const Batch& batch) {
  require_valid_batch_key_each(keys, batch);
  run_on_host({context, nullptr, nullptr, &keys}, batch);
}

}  // namespace warpaes::core
