#include "pipeline/staged_batch.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "pipeline/gcm_in_parts.hpp"

namespace warpaes::core {
namespace {

/// The time that a byte of a message costs, told as that many bytes of a mode with one AES block for 16
/// bytes.
uint64_t cost_of_a_byte(warpaes_mode mode) {
  if (mode == WARPAES_MODE_CFB1) return 128;
  if (mode == WARPAES_MODE_CFB8) return 16;
  return mode == WARPAES_MODE_KW || mode == WARPAES_MODE_KWP ? 12 : 1;
}

/// The sum of these lengths, but for those above the limit, whose messages are refused. Without an array, all
/// are as long as the limit.
uint64_t sum_of(const uint64_t* lengths, uint64_t count, uint64_t limit) {
  if (lengths == nullptr) return count * limit;
  return std::accumulate(lengths, lengths + count, uint64_t{0}, [limit](uint64_t sum, uint64_t length) {
    return sum + (length <= limit ? length : 0);
  });
}

}  // namespace

uint64_t total_bytes(const Batch& batch) { return sum_of(batch.lengths, batch.messages, batch.bytes); }

uint64_t BatchJob::cpu_cost() const {
  const uint64_t aad = sum_of(batch_.aad_lengths, batch_.messages * batch_.aad_strings, batch_.aad_bytes);
  const uint64_t bytes = total_bytes(batch_) / batch_.messages * cost_of_a_byte(batch_.mode);
  return std::max<uint64_t>(bytes + aad / batch_.messages, 1);
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

void BatchJob::place_answers(BatchLayout& layout, Placement& placement, uint64_t messages) const {
  layout.tags = placement.place(mode_.has_tag() ? messages * batch_.tag_bytes : 0);
  layout.statuses = placement.place(messages * sizeof(int32_t));
  layout.output_lengths = placement.place(mode_.changes_length() ? messages * sizeof(uint64_t) : 0);
  layout.parcel_end = placement.end;
}

void BatchJob::begin_parcel(const Slot& slot, const BatchLayout& layout, Piece piece) const {
  std::memset(slot.parcel + layout.statuses, 0xff, piece.count * sizeof(int32_t));
  if (keys_.each == nullptr) return;
  for (uint64_t i = 0; i < piece.count; i++) {
    const uint8_t* const key = key_of(*keys_.each, piece.first + i);
    if (key == nullptr) continue;
    std::memcpy(slot.parcel + layout.keys + i * keys_.each->bytes, key, keys_.each->bytes);
  }
}

void BatchJob::run_on_device(const Engine& engine, const Slot& slot, const BatchLayout& layout,
                             Batch device) const {
  device.tags = mode_.has_tag() ? slot.memory + layout.tags : nullptr;
  device.tag_stride = batch_.tag_bytes;
  device.statuses = reinterpret_cast<int32_t*>(slot.memory + layout.statuses);
  device.output_lengths =
      mode_.changes_length() ? reinterpret_cast<uint64_t*>(slot.memory + layout.output_lengths) : nullptr;
  if (keys_.each != nullptr) {
    const KeyArray each{slot.memory + layout.keys, keys_.each->bytes, keys_.each->bytes};
    return run_batch_key_each(engine, slot.device, each, device, slot.work);
  }
  run_batch(engine, keys_.prepared(engine, slot.device), device, slot.memory + layout.workspace,
            layout.end - layout.workspace, slot.work);
}

Outcome BatchJob::outcome_of(const Slot& slot, const BatchLayout& layout, uint64_t index,
                             uint64_t output_bytes) const {
  int32_t status = 0;
  std::memcpy(&status, slot.parcel + layout.statuses + index * sizeof status, sizeof status);
  uint64_t bytes = output_bytes;
  if (mode_.changes_length())
    std::memcpy(&bytes, slot.parcel + layout.output_lengths + index * sizeof bytes, sizeof bytes);
  return {static_cast<Status>(status), status == WARPAES_OK ? bytes : 0};
}

}  // namespace warpaes::core
