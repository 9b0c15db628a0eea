#include "engines/batch_message.hpp"

#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

BatchMessage described(const AeadBatch& batch, uint64_t index) {
  const auto at = [index](auto* first, uint64_t stride) {
    return first == nullptr ? nullptr : first + index * stride;
  };
  const bool single = batch.host_nonce != nullptr;
  const AadString aad = aad_of(batch, index, 0);
  return {
      .index = index,
      .status = WARPAES_OK,
      .bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
      .input = batch.inputs != nullptr ? batch.inputs[index] : at(batch.input, batch.input_stride),
      .output = batch.outputs != nullptr ? batch.outputs[index] : at(batch.output, batch.output_stride),
      .nonce = single                            ? batch.host_nonce
               : batch.nonce_pointers != nullptr ? batch.nonce_pointers[index]
                                                 : at(batch.nonces, batch.nonce_stride),
      .nonce_bytes = single ? batch.host_nonce_bytes : batch.nonce_bytes,
      .aad = aad.data,
      .aad_bytes = aad.bytes,
      .tag = batch.tag_pointers != nullptr ? batch.tag_pointers[index] : at(batch.tags, batch.tag_stride),
  };
}

Region region(const void* data, uint64_t bytes) { return {"", data, 1, 0, bytes}; }

bool is_missing(const void* data, uint64_t bytes) { return data == nullptr && bytes != 0; }

/// Does what is written lie where it may?
bool overlaps(const AeadBatch& batch, const BatchMessage& message, const Region& read) {
  const bool encrypting = batch.direction == WARPAES_DIRECTION_ENCRYPT;
  return !disjoint(region(message.output, message.bytes), read) ||
         (encrypting && !disjoint(region(message.tag, batch.tag_bytes), read));
}

/// What the arrays' entries for a message come to. That messages do not overlap each other is not looked at.
Status status_of(const AeadBatch& batch, uint64_t index, const BatchMessage& message) {
  if (message.bytes > batch.bytes) return WARPAES_ERROR_LENGTH;
  if (is_missing(message.input, message.bytes) || is_missing(message.output, message.bytes) ||
      is_missing(message.nonce, message.nonce_bytes) || is_missing(message.tag, batch.tag_bytes)) {
    return WARPAES_ERROR_NULL_POINTER;
  }
  const Region input = region(message.input, message.bytes), output = region(message.output, message.bytes),
               tag = region(message.tag, batch.tag_bytes);
  if (message.input != message.output && !disjoint(output, input)) return WARPAES_ERROR_OVERLAP;
  if (!disjoint(output, tag) || overlaps(batch, message, region(message.nonce, message.nonce_bytes)) ||
      (batch.direction == WARPAES_DIRECTION_ENCRYPT && !disjoint(tag, input))) {
    return WARPAES_ERROR_OVERLAP;
  }
  for (size_t string = 0; string < batch.aad_strings; string++) {
    const AadString aad = aad_of(batch, index, string);
    if (aad.bytes > batch.aad_bytes) return WARPAES_ERROR_LENGTH;
    if (is_missing(aad.data, aad.bytes)) return WARPAES_ERROR_NULL_POINTER;
    if (overlaps(batch, message, region(aad.data, aad.bytes))) return WARPAES_ERROR_OVERLAP;
  }
  return WARPAES_OK;
}

BatchMessage wrong(uint64_t index, Status status) {
  BatchMessage message{};
  message.index = index;
  message.status = status;
  return message;
}

}  // namespace

BatchMessage message_of(const AeadBatch& batch, uint64_t index) {
  const BatchMessage message = described(batch, index);
  if (is_regular(batch)) return message;
  const Status status = status_of(batch, index, message);
  return status == WARPAES_OK ? message : wrong(index, status);
}

BatchMessage message_of(const AeadBatch& batch, const KeyArray& keys, uint64_t index) {
  const BatchMessage message = message_of(batch, index);
  const bool lacks_key = message.status == WARPAES_OK && key_of(keys, index) == nullptr;
  return lacks_key ? wrong(index, WARPAES_ERROR_NULL_POINTER) : message;
}

}  // namespace warpaes::core
