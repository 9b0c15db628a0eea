#include "aead_message.hpp"

#include "failure.hpp"

namespace warpaes::cli {
namespace {

AeadBatch batch_of(const AeadMessage& message, Direction direction, uint8_t* tag, size_t tag_bytes) {
  AeadBatch batch = {};
  batch.direction = direction;
  batch.mode = message.mode;
  batch.messages = 1;
  batch.bytes = batch.input_stride = batch.output_stride = message.text.size();
  batch.input = batch.output = message.text.data();
  batch.host_nonce = message.nonce.data();
  batch.host_nonce_bytes = message.nonce.size();
  batch.aad = message.aad.data();
  batch.aad_bytes = message.aad.size();
  batch.tags = tag;
  batch.tag_stride = batch.tag_bytes = tag_bytes;
  return batch;
}

}  // namespace

void AeadMessage::seal(const Key& key, std::span<uint8_t> tag) const {
  aead_host(key, batch_of(*this, WARPAES_ENCRYPT, tag.data(), tag.size()));
}

void AeadMessage::open(const Key& key, std::span<const uint8_t> tag) const {
  int32_t status = WARPAES_ERROR_INTERNAL;  // until the mode says otherwise
  // Decrypting only reads it.
  AeadBatch batch = batch_of(*this, WARPAES_DECRYPT, const_cast<uint8_t*>(tag.data()), tag.size());
  batch.statuses = &status;
  aead_host(key, batch);
  if (status != WARPAES_OK) {
    throw Failure(static_cast<Status>(status),
                  "authentication failed: wrong key, nonce or additional data, or damaged");
  }
}

}  // namespace warpaes::cli
