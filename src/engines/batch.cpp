#include "engines/batch.hpp"

#include <span>

#include "modes/mode_table.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

BatchMessage described(const Batch& batch, const ModeRow& mode, uint64_t index) {
  const AadString aad = aad_of(batch, index, 0);
  const uint64_t bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes;
  return {
      .index = index,
      .status = WARPAES_OK,
      .bytes = bytes,
      .output_bytes = mode.lengths(batch.direction).output(bytes),
      .input = entry_of(batch.inputs, batch.input, batch.input_stride, index),
      .output = entry_of(batch.outputs, batch.output, batch.output_stride, index),
      .nonce = batch.host_nonce != nullptr
                   ? batch.host_nonce
                   : entry_of(batch.nonce_pointers, batch.nonces, batch.nonce_stride, index),
      .nonce_bytes = nonce_bytes_of(batch),
      .aad = aad.data,
      .aad_bytes = aad.bytes,
      .tag = entry_of(batch.tag_pointers, batch.tags, batch.tag_stride, index),
  };
}

Region region(const void* data, uint64_t bytes) { return {"", data, 1, 0, bytes}; }

bool is_missing(const void* data, uint64_t bytes) { return data == nullptr && bytes != 0; }

/// Does the message write its output or its tag to any byte of what it reads?
bool overlaps(const Batch& batch, const BatchMessage& message, const Region& read) {
  return !disjoint(region(message.output, message.output_bytes), read) ||
         (writes_tags(batch) && !disjoint(region(message.tag, batch.tag_bytes), read));
}

/// Is anything wrong with one of the message's strings of additional data? @param wrong (AadString) -> bool
template <class Wrong>
bool any_aad(const Batch& batch, const BatchMessage& message, const Wrong& wrong) {
  for (size_t string = 0; string < batch.aad_strings; string++) {
    if (wrong(aad_of(batch, message.index, string))) return true;
  }
  return false;
}

bool has_wrong_length(const Batch& batch, const ModeRow& mode, const BatchMessage& message) {
  return message.bytes > batch.bytes || !mode.takes_unit(batch.direction, message.bytes) ||
         any_aad(batch, message, [&](const AadString& aad) { return aad.bytes > batch.aad_bytes; });
}

bool lacks_pointer(const Batch& batch, const BatchMessage& message, size_t tag_bytes) {
  return is_missing(message.input, message.bytes) || is_missing(message.output, message.output_bytes) ||
         is_missing(message.nonce, message.nonce_bytes) || is_missing(message.tag, tag_bytes) ||
         any_aad(batch, message, [](const AadString& aad) { return is_missing(aad.data, aad.bytes); });
}

bool overlaps_itself(const Batch& batch, const BatchMessage& message, size_t tag_bytes) {
  const Region input = region(message.input, message.bytes),
               output = region(message.output, message.output_bytes), tag = region(message.tag, tag_bytes);
  return (message.input != message.output && !disjoint(output, input)) || !disjoint(output, tag) ||
         overlaps(batch, message, region(message.nonce, message.nonce_bytes)) ||
         (writes_tags(batch) && !disjoint(tag, input)) || any_aad(batch, message, [&](const AadString& aad) {
           return overlaps(batch, message, region(aad.data, aad.bytes));
         });
}

/// The status that follows from the arrays' entries for a message. Of several faults the status names the one
/// that is looked for first here, as on a GPU (kernels/warp/batched_message.hpp). Whether different messages
/// overlap each other is not checked.
Status status_of(const Batch& batch, const ModeRow& mode, const BatchMessage& message) {
  const size_t tag_bytes = mode.has_tag() ? batch.tag_bytes : 0;
  if (has_wrong_length(batch, mode, message)) return WARPAES_ERROR_LENGTH;
  if (lacks_pointer(batch, message, tag_bytes)) return WARPAES_ERROR_NULL_POINTER;
  if (overlaps_itself(batch, message, tag_bytes)) return WARPAES_ERROR_OVERLAP;
  return WARPAES_OK;
}

BatchMessage wrong(uint64_t index, Status status) {
  BatchMessage message{};
  message.index = index;
  message.status = status;
  return message;
}

/// XTS is not secure with a key whose halves are equal, and FIPS 140 (guidance A.9 of 140-2, C.I of 140-3)
/// has such keys refused.
bool has_equal_halves(warpaes_mode mode, std::span<const uint8_t> key) {
  const size_t half = key.size() / 2;
  return mode == WARPAES_MODE_XTS && CRYPTO_memcmp(key.data(), key.data() + half, half) == 0;
}

}  // namespace

bool writes_tags(const Batch& batch) {
  return mode_row(batch.mode).has_tag() && batch.direction == WARPAES_DIRECTION_ENCRYPT;
}

Batch part_of(const Batch& batch, uint64_t first, uint64_t count) {
  Batch part = batch;
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
  part.output_lengths = shifted(batch.output_lengths, first);
  return part;
}

AadString aad_of(const Batch& batch, uint64_t index, size_t string) {
  const uint64_t at = index * batch.aad_strings + string;
  return {entry_of(batch.aads, batch.aad, batch.aad_stride, at),
          batch.aad_lengths != nullptr ? batch.aad_lengths[at] : batch.aad_bytes};
}

BatchMessage message_of(const Batch& batch, uint64_t index) {
  const ModeRow& mode = mode_row(batch.mode);
  const BatchMessage message = described(batch, mode, index);
  if (is_regular(batch)) return message;
  const Status status = status_of(batch, mode, message);
  return status == WARPAES_OK ? message : wrong(index, status);
}

BatchMessage message_of(const Batch& batch, const KeyArray* keys, uint64_t index) {
  const BatchMessage message = message_of(batch, index);
  if (keys == nullptr || message.status != WARPAES_OK) return message;
  const uint8_t* const key = key_of(*keys, index);
  if (key == nullptr) return wrong(index, WARPAES_ERROR_NULL_POINTER);
  return has_equal_halves(batch.mode, {key, keys->bytes}) ? wrong(index, WARPAES_ERROR_XTS_KEYS) : message;
}

void tell(const Batch& batch, uint64_t index, const Outcome& outcome) {
  if (batch.statuses != nullptr) batch.statuses[index] = outcome.status;
  if (batch.output_lengths != nullptr) batch.output_lengths[index] = outcome.bytes;
}

}  // namespace warpaes::core
