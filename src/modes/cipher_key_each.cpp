// Batches of modes that do not authenticate, and of CMAC, with a key for each message.
#include <string>

#include "modes/cipher_batch.hpp"
#include "modes/regions.hpp"

namespace warpaes {
namespace {

/// Each key expanded and used for its message: the oracle of engines that do it themselves.
void composed(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const KeySchedule schedule({keys.keys + index * keys.stride, keys.bytes});
    const auto key = engine.prepare(schedule, device);
    cipher_batch(engine, *key, part_of(batch, index, 1), nullptr);
  }
}

bool is_fused(const Engine& engine, CipherMode mode) {
  return engine.cipher_key_each != nullptr && !inverts_cipher(mode) && mode != CipherMode::cbc_mac;
}

}  // namespace

void require_valid_cipher_key_each(const KeyArray& keys, const CipherBatch& batch) {
  if (keys.bytes != 16 && keys.bytes != 24 && keys.bytes != 32) {
    throw Failure(WARPAES_ERROR_KEY_LENGTH,
                  "keys are 16, 24 or 32 bytes, these " + std::to_string(keys.bytes));
  }
  if (is_xts(batch.mode)) {
    throw Failure(
        WARPAES_ERROR_UNSUPPORTED,
        "XTS has two keys, and no batches with a key each: take warpaes_cipher_batch with a key pair");
  }
  require_valid_cipher_batch(batch);
  const bool tags_only = makes_tags(batch.mode);
  const Region list{"the keys", keys.keys, batch.messages, keys.stride, keys.bytes};
  require_valid(list);
  const Region output{"the output", batch.output, tags_only || batch.outputs ? 0 : batch.messages,
                      batch.output_stride, batch.bytes};
  const Region tags{"the tags", batch.tags, tags_only ? batch.messages : 0, batch.tag_stride,
                    batch.tag_bytes};
  const Region statuses{"the statuses", batch.statuses, batch.statuses == nullptr ? 0 : batch.messages,
                        sizeof(int32_t), sizeof(int32_t)};
  for (const Region* written : {&output, &tags, &statuses}) require_disjoint(list, *written);
}

bool has_cipher_key_each(const Engine& engine, CipherMode mode) {
  return engine.memory == Memory::host || is_fused(engine, mode);
}

void require_cipher_key_each(const Engine& engine, CipherMode mode) {
  if (has_cipher_key_each(engine, mode)) return;
  const std::string instead = ": take host memory, where each key is expanded on the CPU";
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                inverts_cipher(mode) && engine.cipher_key_each != nullptr
                    ? full_name(engine) +
                          " does not decrypt ECB and CBC with a key each, whose round keys are "
                          "needed from the last to the first" +
                          instead
                    : full_name(engine) + " has no batches of this mode with a key each" + instead);
}

void cipher_key_each(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch,
                     Stream stream) {
  require_valid_cipher_key_each(keys, batch);
  require_cipher_key_each(engine, batch.mode);
  if (batch.messages == 0) return;
  if (!is_fused(engine, batch.mode)) return composed(engine, device, keys, batch);
  engine.cipher_key_each(device, keys, batch, stream);
}

}  // namespace warpaes
