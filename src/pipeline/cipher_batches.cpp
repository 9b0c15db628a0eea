#include "pipeline/cipher_batches.hpp"

#include <numeric>

#include "modes/cipher_batch.hpp"
#include "modes/modes.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/share.hpp"

namespace warpaes::core {
namespace {

uint64_t total_bytes(const CipherBatch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  return std::accumulate(batch.lengths, batch.lengths + batch.messages, uint64_t{0});
}

void spoil(const CipherBatch& batch, Status status) {
  for (uint64_t m = 0; m < batch.messages; m++) {
    const CipherMessage message = message_of(batch, m);
    if (batch.statuses != nullptr) batch.statuses[m] = status;
    if (batch.output_lengths != nullptr) batch.output_lengths[m] = 0;
    if (message.status != WARPAES_OK) continue;
    if (makes_tags(batch.mode)) {
      wipe(message.tag, batch.tag_bytes);
    } else {
      wipe(message.output, output_bytes(batch.mode, message.bytes));
    }
  }
}

/// A byte of a message, in bytes of a mode that has a block of AES for 16 of them.
uint64_t cost_of_a_byte(CipherMode mode) {
  if (mode == CipherMode::cfb1_encrypt || mode == CipherMode::cfb1_decrypt) return 128;
  if (mode == CipherMode::cfb8_encrypt || mode == CipherMode::cfb8_decrypt) return 16;
  return wraps_keys(mode) ? 12 : 1;
}

/// Calls part(batch, first) with parts of the batch, and where they begin, on the CPU's threads.
template <class Part>
void share_messages(WorkerThreads& threads, const CipherBatch& batch, const Part& part) {
  share(threads, batch.messages, total_bytes(batch) / batch.messages * cost_of_a_byte(batch.mode),
        [&](uint64_t first, uint64_t count) { part(part_of(batch, first, count), first); });
}

/// By whatever engine suits it.
/// @param suits_gpu does the context's GPU engine, if there is one, have it at all, and not one by one?
template <class OnGpu, class OnCpu>
void run_cipher_batch(const Context& context, const CipherBatch& batch, bool suits_gpu, const OnGpu& on_gpu,
                      const OnCpu& on_cpu) {
  const bool tags_only = makes_tags(batch.mode), scattered = !are_rows(batch);
  HostWork work = work_of(context, total_bytes(batch), batch.messages, batch.input,
                          tags_only ? batch.input : batch.output);
  // For the CPU, if there is one.
  if (!suits_gpu || scattered || batch.messages < kFewestForGpu) work.bytes = 0;
  const bool in_place = !tags_only && (scattered || batch.input == batch.output);
  run_on_host_memory(context, work, in_place, on_gpu, on_cpu, [&](Status status) { spoil(batch, status); });
}

/// Throws if the context has nothing but a GPU engine without batches: before anything is written.
/// @return the GPU engine, if there is one with batches of the mode
const Engine* gpu_with_batches(const Context::State& state, CipherMode mode) {
  const Engine* const gpu = state.engine_on(Memory::device);
  if (gpu != nullptr && state.engine_on(Memory::host) == nullptr) require_cipher_batch(*gpu, mode);
  return gpu != nullptr && has_cipher_batch(*gpu, mode) ? gpu : nullptr;
}

}  // namespace

void cipher_batch_host(const Key& key, const CipherBatch& batch) {
  require_valid_cipher_batch(batch);
  Context::State& state = key.context().state();
  const bool suits_gpu = gpu_with_batches(state, batch.mode) != nullptr;
  if (batch.messages == 0) return;
  run_cipher_batch(
      key.context(), batch, suits_gpu,
      [&](const Engine& engine, StagedProgress& progress) {
        cipher_batch_staged(engine, {.one = &key.prepared(engine)}, state.staging, batch, progress);
      },
      [&](const Engine& engine) {
        share_messages(state.threads, batch, [&](const CipherBatch& part, uint64_t) {
          cipher_batch(engine, key.prepared(engine), part, nullptr);
        });
      });
}

void cipher_key_each_host(const Context& context, const KeyArray& keys, const CipherBatch& batch) {
  require_valid_cipher_key_each(keys, batch);
  Context::State& state = context.state();
  const Engine* const gpu = gpu_with_batches(state, batch.mode);
  if (batch.messages == 0) return;
  run_cipher_batch(
      context, batch, gpu != nullptr && has_cipher_key_each(*gpu, batch.mode),
      [&](const Engine& engine, StagedProgress& progress) {
        cipher_batch_staged(engine, {.each = &keys, .device = context.device()}, state.staging, batch,
                            progress);
      },
      [&](const Engine& engine) {
        share_messages(state.threads, batch, [&](const CipherBatch& part, uint64_t first) {
          cipher_key_each(engine, context.device(), keys_from(keys, first), part, nullptr);
        });
      });
}

void xts_batch_host(const Key& key, const Key& tweak_key, const CipherBatch& batch) {
  require_valid_xts_keys(key, tweak_key);
  require_valid_cipher_batch(batch);
  Context::State& state = key.context().state();
  const bool suits_gpu = gpu_with_batches(state, batch.mode) != nullptr;
  if (batch.messages == 0) return;
  const auto keys_of = [&](const Engine& engine) {
    return XtsKeys{key.prepared(engine), tweak_key.prepared(engine), key.key_bits()};
  };
  run_cipher_batch(
      key.context(), batch, suits_gpu,
      [&](const Engine& engine, StagedProgress& progress) {
        const XtsKeys pair = keys_of(engine);
        cipher_batch_staged(engine, {.pair = &pair}, state.staging, batch, progress);
      },
      [&](const Engine& engine) {
        const XtsKeys pair = keys_of(engine);
        share_messages(state.threads, batch,
                       [&](const CipherBatch& part, uint64_t) { xts_batch(engine, pair, part, nullptr); });
      });
}

}  // namespace warpaes::core
