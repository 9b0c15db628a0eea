// Batches of modes that do not authenticate, of CMAC and of wrapped keys, with a key for each message.
#include <openssl/crypto.h>

#include <string>

#include "modes/cipher_batch.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

void refuse(const CipherBatch& batch, uint64_t index, Status status) {
  if (batch.statuses != nullptr) batch.statuses[index] = status;
  if (batch.output_lengths != nullptr) batch.output_lengths[index] = 0;
}

/// @return null if the message or its key's entry is wrong, which its status then tells
const uint8_t* right_key(const KeyArray& keys, const CipherBatch& batch, uint64_t index) {
  const Status status = message_of(batch, index).status;
  const uint8_t* const key = key_of(keys, index);
  if (status == WARPAES_OK && key != nullptr) return key;
  refuse(batch, index, status != WARPAES_OK ? status : WARPAES_ERROR_NULL_POINTER);
  return nullptr;
}

/// Each key expanded and used for its message: the oracle of engines that do it themselves.
void composed(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const uint8_t* const first = right_key(keys, batch, index);
    if (first == nullptr) continue;
    const KeySchedule schedule({first, keys.bytes});
    const auto key = engine.prepare(schedule, device);
    cipher_batch(engine, *key, part_of(batch, index, 1), nullptr);
  }
}

void xts_composed_key_each(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch) {
  const size_t half = keys.bytes / 2;
  for (uint64_t index = 0; index < batch.messages; index++) {
    const uint8_t* const pair = right_key(keys, batch, index);
    if (pair == nullptr) continue;
    if (CRYPTO_memcmp(pair, pair + half, half) == 0) {
      refuse(batch, index, WARPAES_ERROR_XTS_KEYS);
      continue;
    }
    const KeySchedule data({pair, half}), tweak({pair + half, half});
    const auto data_key = engine.prepare(data, device), tweak_key = engine.prepare(tweak, device);
    xts_batch(engine, {*data_key, *tweak_key, data.key_bits()}, part_of(batch, index, 1), nullptr);
  }
}

bool is_fused(const Engine& engine, CipherMode mode) {
  return engine.cipher_key_each != nullptr && mode != CipherMode::cbc_mac;
}

}  // namespace

void require_valid_cipher_key_each(const KeyArray& keys, const CipherBatch& batch) {
  const size_t each = is_xts(batch.mode) ? keys.bytes / 2 : keys.bytes;
  if ((each != 16 && each != 24 && each != 32) || (is_xts(batch.mode) && keys.bytes % 2 != 0)) {
    throw Failure(WARPAES_ERROR_KEY_LENGTH,
                  (is_xts(batch.mode) ? "XTS' pairs of keys are 32, 48 or 64 bytes, these "
                                      : "keys are 16, 24 or 32 bytes, these ") +
                      std::to_string(keys.bytes));
  }
  require_valid_cipher_batch(batch);
  const bool tags_only = makes_tags(batch.mode);
  const Region output{"the output", batch.output, tags_only || batch.outputs ? 0 : batch.messages,
                      batch.output_stride, output_bytes(batch.mode, batch.bytes)};
  const Region tags{"the tags", batch.tags, tags_only && !batch.tag_pointers ? batch.messages : 0,
                    batch.tag_stride, batch.tag_bytes};
  // A pair of XTS keys may be equal, which is for its message's status to tell.
  const bool has_statuses = batch.statuses != nullptr || is_xts(batch.mode) || keys.key_pointers != nullptr;
  const Region statuses{"the statuses", batch.statuses, has_statuses ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};
  const Region output_lengths{"the output lengths", batch.output_lengths,
                              batch.output_lengths == nullptr ? 0 : batch.messages, sizeof(uint64_t),
                              sizeof(uint64_t)};
  require_valid(statuses);
  require_valid_keys(keys, batch.messages, {output, tags, statuses, output_lengths});
}

bool has_cipher_key_each(const Engine& engine, CipherMode mode) {
  return engine.memory == Memory::host || is_fused(engine, mode);
}

void require_cipher_key_each(const Engine& engine, CipherMode mode) {
  if (has_cipher_key_each(engine, mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                full_name(engine) +
                    " has no batches of this mode with a key each: take host memory, where each key is "
                    "expanded on the CPU");
}

void cipher_key_each(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch,
                     Stream stream) {
  require_valid_cipher_key_each(keys, batch);
  require_cipher_key_each(engine, batch.mode);
  if (batch.messages == 0) return;
  if (!is_fused(engine, batch.mode)) {
    return (is_xts(batch.mode) ? xts_composed_key_each : composed)(engine, device, keys, batch);
  }
  engine.cipher_key_each(device, keys, batch, stream);
}

}  // namespace warpaes::core
