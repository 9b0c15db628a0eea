// AEAD modes over a batch with a key for each message.
#include <memory>
#include <string>

#include "engines/batch_message.hpp"
#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

/// Each key expanded and used for its message: the oracle of engines that do it themselves.
void composed(const Engine& engine, const KeyArray& keys, const AeadBatch& batch) {
  const size_t halves = mode_row(batch.mode).key_count, bytes = keys.bytes / halves;
  for (uint64_t index = 0; index < batch.messages; index++) {
    const uint8_t* const first = key_of(keys, index);
    if (first == nullptr) {
      batch.statuses[index] = message_of(batch, keys, index).status;
      continue;
    }
    AeadBatch message = messages_of(batch, index, 1);
    std::unique_ptr<EngineKey> mac_key;
    if (halves == 2) mac_key = engine.prepare(KeySchedule({first, bytes}), 0);
    message.mac_key = mac_key.get();
    const KeySchedule schedule({first + (halves - 1) * bytes, bytes});
    const auto key = engine.prepare(schedule, 0);
    aead(engine, {*key, schedule.key_bits()}, message, nullptr, 0, nullptr);
  }
}

/// What keeps the engine's own form from doing this one; null: nothing does.
const char* obstacle(const Engine::FusedAead& fused, const AeadBatch& batch) {
  const size_t only_nonce = mode_row(batch.mode).aead->fused_batch_nonce;
  if (fused.key_each == nullptr) return "at all";
  if (batch.bytes > fused.longest || batch.aad_bytes > fused.longest) return "of messages this long";
  if (only_nonce != 0 && batch.nonce_bytes != only_nonce) return "with nonces of any length but 12 bytes";
  if (batch.aad_strings != 1) return "with several strings of additional data";
  return nullptr;
}

}  // namespace

void require_valid_aead_key_each(const KeyArray& keys, const AeadBatch& batch) {
  require_key_length(mode_row(batch.mode), keys.bytes);
  if (batch.host_nonce != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message under one key");
  }
  require_valid_aead(batch);
  const bool decrypting = batch.direction == WARPAES_DIRECTION_DECRYPT;
  const Region output{"the output", batch.output, batch.outputs == nullptr ? batch.messages : 0,
                      batch.output_stride, batch.bytes};
  const Region tags{"the tags", batch.tags, decrypting || batch.tag_pointers ? 0 : batch.messages,
                    batch.tag_stride, batch.tag_bytes};
  const bool has_statuses = batch.statuses != nullptr || keys.key_pointers != nullptr;
  const Region statuses{"the statuses", batch.statuses, has_statuses ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};
  require_valid(statuses);
  require_valid_keys(keys, batch.messages, {output, tags, statuses});
}

bool takes_aead_key_each(const Engine& engine, const AeadBatch& batch) {
  return engine.memory == Memory::host || obstacle(mode_row(batch.mode).fused(engine), batch) == nullptr;
}

void require_aead_key_each(const Engine& engine, const AeadBatch& batch) {
  if (takes_aead_key_each(engine, batch)) return;
  const ModeRow& mode = mode_row(batch.mode);
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                full_name(engine) + " has no " + mode.name + " with a key for each message " +
                    obstacle(mode.fused(engine), batch) + ": take host memory and an engine of the CPU");
}

void aead_key_each(const Engine& engine, int device, const KeyArray& keys, const AeadBatch& batch,
                   Stream stream) {
  require_valid_aead_key_each(keys, batch);
  require_aead_key_each(engine, batch);
  if (batch.messages == 0) return;
  const Engine::FusedAead fused = mode_row(batch.mode).fused(engine);
  if (obstacle(fused, batch) != nullptr) return composed(engine, keys, batch);
  fused.key_each(device, keys, batch, stream);
}

}  // namespace warpaes::core
