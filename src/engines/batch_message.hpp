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
inline BatchMessage message_of(const GcmBatch& batch, uint64_t index) {
  const auto at = [index](auto* first, uint64_t stride) {
    return first == nullptr ? nullptr : first + index * stride;
  };
  const bool single = batch.host_nonce != nullptr;
  return {
      .bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
      .input = batch.inputs != nullptr ? batch.inputs[index] : at(batch.input, batch.input_stride),
      .output = batch.outputs != nullptr ? batch.outputs[index] : at(batch.output, batch.output_stride),
      .nonce = single ? batch.host_nonce : at(batch.nonces, batch.nonce_stride),
      .nonce_bytes = single ? batch.host_nonce_bytes : 12,
      .aad = batch.aads != nullptr ? batch.aads[index] : at(batch.aad, batch.aad_stride),
      .aad_bytes = batch.aad_lengths != nullptr ? batch.aad_lengths[index] : batch.aad_bytes,
      .tag = at(batch.tags, batch.tag_stride),
  };
}

}  // namespace warpaes
