// AEAD modes over a batch with a key for each message.
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
  for (uint64_t index = 0; index < batch.messages; index++) {
    const KeySchedule schedule({keys.keys + index * keys.stride, keys.bytes});
    const auto key = engine.prepare(schedule, 0);
    aead(engine, {*key, schedule.key_bits()}, messages_of(batch, index, 1), nullptr, 0, nullptr);
  }
}

}  // namespace

void require_valid_aead_key_each(const KeyArray& keys, const AeadBatch& batch) {
  if (keys.bytes != 16 && keys.bytes != 24 && keys.bytes != 32) {
    throw Failure(WARPAES_ERROR_KEY_LENGTH,
                  "keys are 16, 24 or 32 bytes, these " + std::to_string(keys.bytes));
  }
  if (batch.host_nonce != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message under one key");
  }
  require_aead_key(batch.mode, static_cast<int>(8 * keys.bytes));
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

bool has_aead_key_each(const Engine& engine, Aead mode) {
  return engine.memory == Memory::host || (mode == WARPAES_AEAD_GCM && engine.gcm_key_each != nullptr);
}

void require_aead_key_each(const Engine& engine, Aead mode) {
  if (has_aead_key_each(engine, mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no " + aead_row(mode).name +
                                               " with a key each yet: take host memory and an engine of "
                                               "the CPU");
}

void aead_key_each(const Engine& engine, int device, const KeyArray& keys, const AeadBatch& batch,
                   Stream stream) {
  require_valid_aead_key_each(keys, batch);
  require_aead_key_each(engine, batch.mode);
  if (engine.memory == Memory::host) require_valid_messages(batch);
  if (batch.messages == 0) return;
  const bool fused = batch.mode == WARPAES_AEAD_GCM && engine.gcm_key_each != nullptr;
  if (!fused) return composed(engine, keys, batch);
  engine.gcm_key_each(device, keys, batch, stream);
}

}  // namespace warpaes
