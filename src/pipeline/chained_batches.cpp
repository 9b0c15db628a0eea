#include "pipeline/chained_batches.hpp"

#include "modes/chained_batch.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/share.hpp"

namespace warpaes {
namespace {

bool is_scattered(const ChainedBatch& batch) {
  return batch.lengths != nullptr || batch.inputs != nullptr || batch.outputs != nullptr;
}

uint64_t total_bytes(const ChainedBatch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  uint64_t total = 0;
  for (uint64_t m = 0; m < batch.messages; m++) total += batch.lengths[m];
  return total;
}

void spoil(const ChainedBatch& batch, Status status) {
  for (uint64_t m = 0; m < batch.messages; m++) {
    const ChainedMessage message = message_of(batch, m);
    if (batch.statuses != nullptr) batch.statuses[m] = status;
    if (message.status != WARPAES_OK) continue;
    if (makes_tags(batch.chaining)) {
      wipe(message.tag, batch.tag_bytes);
    } else {
      wipe(message.output, message.bytes);
    }
  }
}

}  // namespace

void chained_batch_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads,
                          const ChainedBatch& batch) {
  const uint64_t average = total_bytes(batch) / batch.messages;
  share(threads, batch.messages, average, [&](uint64_t first, uint64_t count) {
    chained_batch(engine, key, part_of(batch, first, count), nullptr);
  });
}

void chained_batch_host(const Key& key, const ChainedBatch& batch) {
  require_valid_chained(batch);
  if (batch.messages == 0) return;
  const Context& context = key.context();
  Context::State& state = context.state();
  const bool scattered = is_scattered(batch);
  const uint8_t* const written = makes_tags(batch.chaining) ? batch.input : batch.output;
  HostWork work = work_of(context, total_bytes(batch), batch.messages, batch.input, written);
  if (scattered || batch.messages < kFewestForGpu) work.bytes = 0;  // for the CPU, if there is one
  const bool in_place = !makes_tags(batch.chaining) && (scattered || batch.input == batch.output);
  run_on_host_memory(
      context, work, in_place,
      [&](const Engine& engine, StagedProgress& progress) {
        chained_batch_staged(engine, key.prepared(engine), state.staging, batch, progress);
      },
      [&](const Engine& engine) { chained_batch_on_cpu(engine, key.prepared(engine), state.threads, batch); },
      [&](Status status) { spoil(batch, status); });
}

}  // namespace warpaes
