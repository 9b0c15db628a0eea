// One message of a batch in host memory, whichever way the batch describes it.
#pragma once

#include <openssl/crypto.h>

#include "engines/engine.hpp"
#include "failure.hpp"

namespace warpaes::core {

struct BatchMessage {
  uint64_t index;  // in the batch
  Status status;   // unless it is OK, an entry of the batch's arrays is wrong, and what follows is zero
  uint64_t bytes;
  const uint8_t* input;
  uint8_t* output;
  const uint8_t* nonce;
  size_t nonce_bytes;
  const uint8_t* aad;  // the first string, if there are several
  uint64_t aad_bytes;
  uint8_t* tag;
};

struct AadString {
  const uint8_t* data;
  uint64_t bytes;
};

/// String `string` of a message's additional data: of SIV there may be several.
inline AadString aad_of(const AeadBatch& batch, uint64_t index, size_t string) {
  const uint64_t at = index * batch.aad_strings + string;
  return {batch.aads != nullptr  ? batch.aads[at]
          : batch.aad == nullptr ? nullptr
                                 : batch.aad + at * batch.aad_stride,
          batch.aad_lengths != nullptr ? batch.aad_lengths[at] : batch.aad_bytes};
}

/// @param batch its arrays in host memory
BatchMessage message_of(const AeadBatch& batch, uint64_t index);

/// The same in a batch with a key for each message, whose address may be missing.
BatchMessage message_of(const AeadBatch& batch, const KeyArray& keys, uint64_t index);

/// Calls work(message) for each message whose entries are right, and writes every status.
/// @param work (const BatchMessage&) -> bool: of decryption, is the tag right? If not, the output is zeroed
template <class Work>
void for_each_message(const AeadBatch& batch, const Work& work) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    Status status = message.status;
    if (status == WARPAES_OK && !work(message)) {
      status = WARPAES_ERROR_AUTHENTICATION;
      if (message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
    }
    if (batch.statuses != nullptr) batch.statuses[index] = status;
  }
}

/// `count` messages from message `first` on.
inline AeadBatch messages_of(const AeadBatch& batch, uint64_t first, uint64_t count) {
  const auto shifted = [](auto* pointer, uint64_t by) { return pointer == nullptr ? nullptr : pointer + by; };
  AeadBatch part = batch;
  part.messages = count;
  part.input = shifted(batch.input, first * batch.input_stride);
  part.output = shifted(batch.output, first * batch.output_stride);
  part.nonces = shifted(batch.nonces, first * batch.nonce_stride);
  part.aad = shifted(batch.aad, first * batch.aad_strings * batch.aad_stride);
  part.tags = shifted(batch.tags, first * batch.tag_stride);
  part.statuses = shifted(batch.statuses, first);
  part.lengths = shifted(batch.lengths, first);
  part.inputs = shifted(batch.inputs, first);
  part.outputs = shifted(batch.outputs, first);
  part.aads = shifted(batch.aads, first * batch.aad_strings);
  part.aad_lengths = shifted(batch.aad_lengths, first * batch.aad_strings);
  part.nonce_pointers = shifted(batch.nonce_pointers, first);
  part.tag_pointers = shifted(batch.tag_pointers, first);
  return part;
}

}  // namespace warpaes::core
