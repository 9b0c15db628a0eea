// A GCM message of a batch as a kernel sees it: where it is, what is wrong with it, and what becomes of its
// tag.
#pragma once

#include "kernels/block_access.hpp"

namespace warpaes {

/// AeadBatch of engines/engine.hpp, its arrays in the memory that the kernel works on.
struct MessageBatch {
  uint32_t messages;
  uint64_t bytes;  // at most 2^35 - 16: a team counts blocks in 31 bits
  const uint8_t* input;
  uint64_t input_stride;
  uint8_t* output;
  uint64_t output_stride;
  const uint8_t* nonces;
  uint64_t nonce_stride;
  const uint8_t* aad;
  uint64_t aad_bytes, aad_stride;
  uint8_t* tags;
  uint64_t tag_stride;
  int32_t* statuses;
  const uint64_t* lengths;
  const uint8_t* const* inputs;
  uint8_t* const* outputs;
  const uint8_t* const* aads;
  const uint64_t* aad_lengths;
  uint32_t tag_bytes;
};

/// Which side of the XOR is ciphertext, and so what GHASH reads.
enum class Ciphertext { output, input };

/// A message as its batch describes it.
struct BatchedMessage {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  const uint8_t* aad;
  uint64_t aad_bytes;
  int32_t refused;  // WARPAES_OK, or why it is left alone

  WARPAES_HOST_DEVICE BatchedMessage(const MessageBatch& batch, uint32_t index)
      : input(batch.inputs != nullptr ? batch.inputs[index] : at(batch.input, index * batch.input_stride)),
        output(batch.outputs != nullptr ? batch.outputs[index]
                                        : at(batch.output, index * batch.output_stride)),
        bytes(batch.lengths != nullptr ? batch.lengths[index] : batch.bytes),
        aad(batch.aads != nullptr ? batch.aads[index] : at(batch.aad, index * batch.aad_stride)),
        aad_bytes(batch.aad_lengths != nullptr ? batch.aad_lengths[index] : batch.aad_bytes),
        refused(WARPAES_OK) {
    const bool too_long = bytes > batch.bytes || aad_bytes > batch.aad_bytes;
    const bool nowhere =
        (bytes != 0 && (input == nullptr || output == nullptr)) || (aad_bytes != 0 && aad == nullptr);
    if (nowhere) refused = WARPAES_ERROR_NULL_POINTER;
    if (too_long) refused = WARPAES_ERROR_LENGTH;
  }

  /// Tells the compiler that stores to the message cannot change shared memory, so that look-ups of one block
  /// need not wait for another block to be stored.
  WARPAES_HOST_DEVICE void is_in_global_memory() const {
#if defined(__CUDA_ARCH__)
    __builtin_assume(__isGlobal(input));
    __builtin_assume(__isGlobal(output));
#endif
  }

 private:
  /// What has no bytes may be nowhere.
  template <class Byte>
  WARPAES_HOST_DEVICE static Byte* at(Byte* first, uint64_t offset) {
    return first == nullptr ? nullptr : first + offset;
  }
};

/// Blocks that end within the data, or lie at any address, are loaded byte by byte.
WARPAES_HOST_DEVICE Columns load_block(const uint8_t* from, uint64_t bytes, int64_t block) {
  const uint64_t left = bytes - 16 * static_cast<uint64_t>(block);
  from += 16 * block;
  if (left >= 16 && is_aligned(from)) return load_aligned(from);
  return load_bytes(from, left < 16 ? static_cast<uint32_t>(left) : 16);
}

WARPAES_HOST_DEVICE void store_block(uint8_t* to, uint64_t bytes, int64_t block, Columns value) {
  const uint64_t left = bytes - 16 * static_cast<uint64_t>(block);
  to += 16 * block;
  if (left >= 16 && is_aligned(to)) return store_aligned(to, value);
  store_bytes(to, value, left < 16 ? static_cast<uint32_t>(left) : 16);
}

/// Stores the tag, or compares it. @return the message's status
template <Ciphertext Side>
WARPAES_HOST_DEVICE int32_t finish_message(const MessageBatch& batch, uint32_t index, Columns tag,
                                           int32_t status) {
  uint8_t* const stored = batch.tags + index * batch.tag_stride;
  if (Side == Ciphertext::output) {
    if (status == WARPAES_OK) {
      store_block(stored, batch.tag_bytes, 0, tag);
    } else if (batch.statuses != nullptr) {
      batch.statuses[index] = status;
    }
    return status;
  }
  if (status == WARPAES_OK) {
    const Columns difference = load_block(stored, batch.tag_bytes, 0) ^ keep_bytes(tag, batch.tag_bytes);
    const bool equal = (difference.a | difference.b | difference.c | difference.d) == 0;
    status = equal ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
  }
  batch.statuses[index] = status;
  return status;
}

}  // namespace warpaes
