#include "c_api/aead_arguments.hpp"

#include <string>

#include "modes/aead_table.hpp"
#include "pipeline/siv_host.hpp"

namespace warpaes::c_api {

void require_mode_of_one_message(Aead mode) {
  if (aead_row(mode).halves == 1) return;
  throw Failure(WARPAES_ERROR_OPTION,
                "SIV has two keys: for one message take warpaes_siv_encrypt and warpaes_siv_decrypt, and for "
                "batches, of one message too, warpaes_aead_batch or warpaes_aead_batch_device");
}

const Key* mac_key_of(const Key& key, Aead mode, const warpaes_aead_batch_arguments& arguments) {
  if (aead_row(mode).halves == 1) {
    if (arguments.mac_key == nullptr) return nullptr;
    throw Failure(WARPAES_ERROR_OPTION,
                  std::string(aead_row(mode).name) + " has one key: batch.mac_key is for SIV");
  }
  require(arguments.mac_key, "batch.mac_key, the left half of SIV's key,");
  require_siv_keys(arguments.mac_key->key, key);
  return &arguments.mac_key->key;
}

void require_no_mac_key(const warpaes_aead_batch_arguments& arguments) {
  if (arguments.mac_key == nullptr) return;
  throw Failure(WARPAES_ERROR_OPTION,
                "batch.mac_key is for batches under one key: with a key each, SIV's keys have both halves");
}

AeadBatch batch_of(Aead mode, Direction direction, const AeadMessage& message) {
  require_mode_of_one_message(mode);
  if (message.nonce_bytes == 0) {
    const AeadRow& row = aead_row(mode);
    throw Failure(WARPAES_ERROR_NONCE_LENGTH,
                  std::string(row.name) + " takes " + row.limits + ", not an empty nonce");
  }
  require(message.nonce, "nonce");
  AeadBatch batch{};
  batch.direction = direction;
  batch.messages = 1;
  batch.bytes = message.bytes;
  batch.input = bytes_at(message.input);
  batch.output = bytes_at(message.output);
  batch.host_nonce = bytes_at(message.nonce);
  batch.host_nonce_bytes = message.nonce_bytes;
  batch.aad = bytes_at(message.aad);
  batch.aad_bytes = message.aad_bytes;
  batch.tags = bytes_at(const_cast<void*>(message.tag));
  batch.tag_bytes = message.tag_bytes;
  batch.statuses = message.status;
  batch.mode = mode;
  return batch;
}

AeadBatch batch_of(Aead mode, Direction direction, const warpaes_aead_batch_arguments* arguments) {
  require(arguments, "batch");
  require_direction(direction);
  require_layout(*arguments, "batch", "warpaes_aead_batch_arguments");
  const size_t nonce_bytes =
      arguments->nonce_bytes != 0 ? arguments->nonce_bytes : aead_row(mode).recommended_nonce;
  const bool has_nonces = nonce_bytes != 0;
  return {
      .direction = direction,
      .messages = arguments->messages,
      .bytes = arguments->bytes,
      .input = bytes_at(arguments->input),
      .input_stride = arguments->input_stride,
      .output = bytes_at(arguments->output),
      .output_stride = arguments->output_stride,
      .host_nonce = nullptr,
      .host_nonce_bytes = 0,
      .nonces = has_nonces ? bytes_at(arguments->nonces) : nullptr,
      .nonce_stride = has_nonces ? arguments->nonce_stride : 0,
      .aad = bytes_at(arguments->aad),
      .aad_bytes = arguments->aad_bytes,
      .aad_stride = arguments->aad_stride,
      .tags = bytes_at(arguments->tags),
      .tag_stride = arguments->tag_stride,
      .tag_bytes = arguments->tag_bytes,
      .statuses = arguments->statuses,
      .lengths = arguments->lengths,
      .inputs = reinterpret_cast<const uint8_t* const*>(arguments->inputs),
      .outputs = reinterpret_cast<uint8_t* const*>(arguments->outputs),
      .aads = reinterpret_cast<const uint8_t* const*>(arguments->aads),
      .aad_lengths = arguments->aad_lengths,
      .mode = mode,
      .nonce_bytes = nonce_bytes,
  };
}

}  // namespace warpaes::c_api
