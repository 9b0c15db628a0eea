#include "pipeline/staged_batch.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "pipeline/gcm_in_parts.hpp"

namespace warpaes::core {
namespace {

/// A byte of a message, in bytes of a mode that has a block of AES for 16 of them.
uint64_t cost_of_a_byte(warpaes_mode mode) {
  if (mode == WARPAES_MODE_CFB1) return 128;
  if (mode == WARPAES_MODE_CFB8) return 16;
  return mode == WARPAES_MODE_KW || mode == WARPAES_MODE_KWP ? 12 : 1;
}

}  // namespace

uint64_t total_bytes(const Batch& batch) {
  if (batch.lengths == nullptr) return batch.messages * batch.bytes;
  return std::accumulate(batch.lengths, batch.lengths + batch.messages, uint64_t{0});
}

uint64_t BatchJob::cpu_cost() const {
  const uint64_t bytes =
      total_bytes(batch_) / batch_.messages * cost_of_a_byte(batch_.mode) + batch_.aad_bytes;
  return std::max<uint64_t>(bytes, 1);
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

void BatchJob::run_on_cpu(const Engine& engine, WorkerThreads& threads) const {
  if (keys_.each == nullptr && shares_gcm_messages(threads, batch_)) {
    return gcm_on_cpu(engine, keys_.one->prepared(engine), threads, batch_);
  }
  HostJob::run_on_cpu(engine, threads);
}

void BatchJob::run_on_cpu(const Engine& engine, Piece piece) const {
  const Batch part = part_of(batch_, piece.first, piece.count);
  if (keys_.each != nullptr) {
    return run_batch_key_each(engine, keys_.context.device(), keys_from(*keys_.each, piece.first), part,
                              nullptr);
  }
  run_batch(engine, keys_.prepared(engine, 0), part, nullptr, 0, nullptr);
}

size_t BatchJob::workspace_bytes(const Engine& engine, uint64_t messages, uint64_t longest) const {
  return keys_.each != nullptr ? 0 : batch_workspace_bytes(engine, batch_.mode, messages, longest);
}

void BatchJob::run_on_device(const Engine& engine, const Slot& slot, const WorkLayout& layout,
                             const Batch& device) const {
  if (keys_.each != nullptr) {
    const KeyArray each{slot.memory + layout.keys, keys_.each->bytes, keys_.each->bytes};
    return run_batch_key_each(engine, slot.device, each, device, slot.work);
  }
  run_batch(engine, keys_.prepared(engine, slot.device), device, slot.memory + layout.workspace,
            layout.end - layout.workspace, slot.work);
}

Outcome BatchJob::outcome_of(const uint8_t* statuses, const uint8_t* lengths, uint64_t index,
                             uint64_t output_bytes) const {
  int32_t status = 0;
  std::memcpy(&status, statuses + index * sizeof status, sizeof status);
  uint64_t bytes = output_bytes;
  if (mode_.changes_length()) std::memcpy(&bytes, lengths + index * sizeof bytes, sizeof bytes);
  return {static_cast<Status>(status), status == WARPAES_OK ? bytes : 0};
}

void BatchJob::gather_keys(uint8_t* to, Piece piece) const {
  if (keys_.each == nullptr) return;
  for (uint64_t i = 0; i < piece.count; i++) {
    const uint8_t* const key = key_of(*keys_.each, piece.first + i);
    if (key != nullptr) std::memcpy(to + i * keys_.each->bytes, key, keys_.each->bytes);
  }
}

}  // namespace warpaes::core
