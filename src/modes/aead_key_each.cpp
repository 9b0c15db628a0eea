// AEAD modes over a batch with a key for each message.
#include <memory>
#include <string>

#include "engines/batch_message.hpp"
#include "failure.hpp"
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes {
namespace {

/// Each key expanded and used for its message: the oracle of engines that do it themselves.
void composed(const Engine& engine, const KeyArray& keys, const AeadBatch& batch) {
  const size_t halves = aead_row(batch.mode).halves, bytes = keys.bytes / halves;
  for (uint64_t index = 0; index < batch.messages; index++) {
    const uint8_t* const first = keys.keys + index * keys.stride;
    AeadBatch message = messages_of(batch, index, 1);
    std::unique_ptr<EngineKey> mac_key;
    if (halves == 2) mac_key = engine.prepare(KeySchedule({first, bytes}), 0);
    message.mac_key = mac_key.get();
    const KeySchedule schedule({first + (halves - 1) * bytes, bytes});
    const auto key = engine.prepare(schedule, 0);
    aead(engine, {*key, schedule.key_bits()}, message, nullptr, 0, nullptr);
  }
}

/// Can the engine's own form do this one?
bool is_fused(const Engine::FusedAead& fused, const AeadBatch& batch) {
  return fused.key_each != nullptr && batch.bytes <= fused.longest && batch.aad_bytes <= fused.longest;
}

void require_key_bytes(const AeadRow& mode, size_t bytes) {
  for (const size_t half : {16, 24, 32}) {
    if (bytes == mode.halves * half) return;
  }
  throw Failure(WARPAES_ERROR_KEY_LENGTH, mode.halves == 1
                                              ? "keys are 16, 24 or 32 bytes, these " + std::to_string(bytes)
                                              : std::string(mode.name) +
                                                    "'s keys, of two halves, are 32, 48 or 64 bytes, these " +
                                                    std::to_string(bytes));
}

}  // namespace

void require_valid_aead_key_each(const KeyArray& keys, const AeadBatch& batch) {
  const AeadRow& mode = aead_row(batch.mode);
  require_key_bytes(mode, keys.bytes);
  if (batch.host_nonce != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message under one key");
  }
  require_aead_key(batch.mode, static_cast<int>(8 * keys.bytes / mode.halves));
  require_valid_aead(batch);
  const bool decrypting = batch.direction == WARPAES_DECRYPT;
  const Region list{"the keys", keys.keys, batch.messages, keys.stride, keys.bytes};
  require_valid(list);
  const Region output{"the output", batch.output, batch.outputs == nullptr ? batch.messages : 0,
                      batch.output_stride, batch.bytes};
  const Region tags{"the tags", batch.tags, decrypting ? 0 : batch.messages, batch.tag_stride,
                    batch.tag_bytes};
  const Region statuses{"the statuses", batch.statuses, batch.statuses == nullptr ? 0 : batch.messages,
                        sizeof(int32_t), sizeof(int32_t)};
  for (const Region* written : {&output, &tags, &statuses}) require_disjoint(list, *written);
}

bool takes_aead_key_each(const Engine& engine, const AeadBatch& batch) {
  return engine.memory == Memory::host || is_fused(aead_row(batch.mode).fused(engine), batch);
}

void require_aead_key_each(const Engine& engine, const AeadBatch& batch) {
  if (takes_aead_key_each(engine, batch)) return;
  const AeadRow& mode = aead_row(batch.mode);
  const Engine::FusedAead fused = mode.fused(engine);
  const std::string what = std::string(engine.name) + " has no " + mode.name + " with a key each";
  const std::string yet =
      fused.key_each == nullptr ? " yet" : " of more than " + std::to_string(fused.longest) + " bytes";
  throw Failure(WARPAES_ERROR_UNSUPPORTED, what + yet + ": take host memory and an engine of the CPU");
}

void aead_key_each(const Engine& engine, int device, const KeyArray& keys, const AeadBatch& batch,
                   Stream stream) {
  require_valid_aead_key_each(keys, batch);
  require_aead_key_each(engine, batch);
  if (engine.memory == Memory::host) require_valid_messages(batch);
  if (batch.messages == 0) return;
  const Engine::FusedAead fused = aead_row(batch.mode).fused(engine);
  if (!is_fused(fused, batch)) return composed(engine, keys, batch);
  fused.key_each(device, keys, batch, stream);
}

}  // namespace warpaes
