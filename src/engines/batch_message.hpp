// One message of a batch in host memory, whichever way the batch describes it.
#pragma once

#include "engines/engine.hpp"

namespace warpaes {

struct BatchMessage {
  uint64_t bytes;
  const uint8_t* input;
  uint8_t* output;
  const uint8_t* nonce;
  size_t nonce_bytes;
  const uint8_t* aad;
  uint64_t aad_bytes;
  uint8_t* tag;
};

/// @param batch its arrays in host memory
inline BatchMessage message_of(const AeadBatch& batch, uint64_t index) {
  const auto at = [index](auto* first, uint64_t stride) {
    return first == nullptr ? nullptr : first + index * stride;
  };
  const bool single = batch.host_nonce != nullptr;
  return {
      .bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
      .input = batch.inputs != nullptr ? batch.inputs[index] : at(batch.input, batch.input_stride),
      .output = batch.outputs != nullptr ? batch.outputs[index] : at(batch.output, batch.output_stride),
      .nonce = single ? batch.host_nonce : at(batch.nonces, batch.nonce_stride),
      .nonce_bytes = single ? batch.host_nonce_bytes : batch.nonce_bytes,
      .aad = batch.aads != nullptr ? batch.aads[index] : at(batch.aad, batch.aad_stride),
      .aad_bytes = batch.aad_lengths != nullptr ? batch.aad_lengths[index] : batch.aad_bytes,
      .tag = at(batch.tags, batch.tag_stride),
  };
}

/// `count` messages from message `first` on.
inline AeadBatch messages_of(const AeadBatch& batch, uint64_t first, uint64_t count) {
  const auto shifted = [](auto* pointer, uint64_t by) { return pointer == nullptr ? nullptr : pointer + by; };
  AeadBatch part = batch;
  part.messages = count;
  part.input = shifted(batch.input, first * batch.input_stride);
  part.output = shifted(batch.output, first * batch.output_stride);
  part.nonces = shifted(batch.nonces, first * batch.nonce_stride);
  part.aad = shifted(batch.aad, first * batch.aad_stride);
  part.tags = shifted(batch.tags, first * batch.tag_stride);
  part.statuses = shifted(batch.statuses, first);
  part.lengths = shifted(batch.lengths, first);
  part.inputs = shifted(batch.inputs, first);
  part.outputs = shifted(batch.outputs, first);
  part.aads = shifted(batch.aads, first);
  part.aad_lengths = shifted(batch.aad_lengths, first);
  return part;
}

}  // namespace warpaes
