// A message of a batch in a mode that authenticates, as a kernel sees it: where it is, what is wrong with it,
// and what becomes of its tag.
#pragma once

#include "kernels/warp/block_access.hpp"
#include "primitives/overlap.hpp"

namespace warpaes::core {

/// The Batch of engines/batch.hpp, with its arrays in the memory that the kernel works on.
struct MessageBatch {
  uint32_t messages;
  uint64_t bytes;  // at most 2^35 - 16, as a team counts blocks in 31 bits
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
  const uint8_t* const* nonces_at;
  uint8_t* const* tags_at;
  uint32_t nonce_bytes, tag_bytes;
  bool writes_tags;  // or only reads them, when decrypting
  /// Is any of the arrays given? If not, the batch is regular (is_regular() of engines/batch.hpp), and the
  /// host has checked all messages.
  bool has_arrays;
  bool has_pointers;  // is any array of addresses given? If not, the host has compared where things lie

  WARPAES_HOST_DEVICE bool has_nonces() const { return nonces != nullptr || nonces_at != nullptr; }
  /// The nonce. Nonces and their array may be null for messages that are refused.
  WARPAES_HOST_DEVICE const uint8_t* nonce(uint32_t index) const {
    return nonces_at != nullptr ? nonces_at[index] : nonces + index * nonce_stride;
  }
  WARPAES_HOST_DEVICE uint8_t* tag(uint32_t index) const {
    return tags_at != nullptr ? tags_at[index] : tags + index * tag_stride;
  }
};

/// Which side of the XOR is ciphertext, and so what GHASH reads.
enum class Ciphertext { output, input };

WARPAES_HOST_DEVICE constexpr Ciphertext ciphertext_of(warpaes_direction way) {
  return way == WARPAES_DIRECTION_ENCRYPT ? Ciphertext::output : Ciphertext::input;
}

/// The fault of a message that its status names, of two that it may have: a wrong length, then a null
/// pointer, then an overlap, as in batches in host memory (engines/batch.cpp).
/// @param a,b WARPAES_OK, or one of these three
WARPAES_HOST_DEVICE constexpr int32_t first_told(int32_t a, int32_t b) {
  if (a == WARPAES_ERROR_LENGTH || b == WARPAES_ERROR_LENGTH) return WARPAES_ERROR_LENGTH;
  if (a == WARPAES_ERROR_NULL_POINTER || b == WARPAES_ERROR_NULL_POINTER) return WARPAES_ERROR_NULL_POINTER;
  return a != WARPAES_OK ? a : b;
}

/// A message as its batch describes it.
struct BatchedMessage {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  const uint8_t* aad;
  uint64_t aad_bytes;
  int32_t refused;  // WARPAES_OK, or why the message is left alone

  /// @tparam Batch MessageBatch, or one with a key for each message, whose has_key() tells if the key is
  ///        there
  template <class Batch>
  WARPAES_HOST_DEVICE BatchedMessage(const Batch& batch, uint32_t index)
      : BatchedMessage(described(batch, index)) {
    if constexpr (requires { batch.has_key(index); }) {
      if (!batch.has_key(index)) refused = WARPAES_ERROR_NULL_POINTER;
    }
    if (!batch.has_arrays) return;
    if (batch.has_pointers && (overlap(input, bytes, output, bytes) || writes_over(batch, index))) {
      refused = WARPAES_ERROR_OVERLAP;
    }
    if (lacks_pointer(batch, index)) refused = WARPAES_ERROR_NULL_POINTER;
    if (bytes > batch.bytes || aad_bytes > batch.aad_bytes) refused = WARPAES_ERROR_LENGTH;
  }

  /// A message that an earlier launch has checked, and accepted.
  WARPAES_HOST_DEVICE static BatchedMessage described(const MessageBatch& batch, uint32_t index) {
    return {batch.inputs != nullptr ? batch.inputs[index] : at(batch.input, index * batch.input_stride),
            batch.outputs != nullptr ? batch.outputs[index] : at(batch.output, index * batch.output_stride),
            batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
            batch.aads != nullptr ? batch.aads[index] : at(batch.aad, index * batch.aad_stride),
            batch.aad_lengths != nullptr ? batch.aad_lengths[index] : batch.aad_bytes};
  }

  /// A message that the host has checked.
  WARPAES_HOST_DEVICE BatchedMessage(const uint8_t* from, uint8_t* to, uint64_t length, const uint8_t* data,
                                     uint64_t data_length)
      : input(from), output(to), bytes(length), aad(data), aad_bytes(data_length), refused(WARPAES_OK) {}

  /// Tells the compiler that stores to the message cannot change shared memory, so that look-ups for one
  /// block need not wait until another block is stored.
  WARPAES_HOST_DEVICE void is_in_global_memory() const {
#if defined(__CUDA_ARCH__)
    __builtin_assume(__isGlobal(input));
    __builtin_assume(__isGlobal(output));
#endif
  }

 private:
  WARPAES_HOST_DEVICE bool lacks_pointer(const MessageBatch& batch, uint32_t index) const {
    return (bytes != 0 && (input == nullptr || output == nullptr)) || (aad_bytes != 0 && aad == nullptr) ||
           (batch.nonces_at != nullptr && batch.nonces_at[index] == nullptr) ||
           (batch.tags_at != nullptr && batch.tags_at[index] == nullptr);
  }

  /// Would the message write its output or its tag to a byte of anything else of it? In place is allowed, and
  /// is not asked here. As overlaps() of engines/batch.cpp.
  WARPAES_HOST_DEVICE bool writes_over(const MessageBatch& batch, uint32_t index) const {
    const uint8_t* const nonce = batch.has_nonces() ? batch.nonce(index) : nullptr;
    const uint32_t nonce_bytes = batch.has_nonces() ? batch.nonce_bytes : 0;
    const uint8_t* const tag = batch.tag_bytes != 0 ? batch.tag(index) : nullptr;
    const uint32_t written = batch.writes_tags ? batch.tag_bytes : 0;
    return share_bytes(output, bytes, tag, batch.tag_bytes) ||
           share_bytes(output, bytes, nonce, nonce_bytes) || share_bytes(output, bytes, aad, aad_bytes) ||
           share_bytes(tag, written, input, bytes) || share_bytes(tag, written, nonce, nonce_bytes) ||
           share_bytes(tag, written, aad, aad_bytes);
  }

  /// The address at an offset; but null stays null, as memory without bytes needs no address.
  template <class Byte>
  WARPAES_HOST_DEVICE static Byte* at(Byte* first, uint64_t offset) {
    return first == nullptr ? nullptr : first + offset;
  }
};

/// The message of a batch that has one message and none of the arrays. The host has checked all of it.
WARPAES_HOST_DEVICE BatchedMessage only_message(const MessageBatch& batch) {
  return {batch.input, batch.output, batch.bytes, batch.aad, batch.aad_bytes};
}

/// Loads a block of data that has `bytes` bytes. The data's last block, if it is not whole, has zeros behind
/// its end; it and blocks at unaligned addresses are loaded byte by byte.
/// @param block the block's number, which has to begin within the data
WARPAES_HOST_DEVICE Columns load_block(const uint8_t* from, uint64_t bytes, int64_t block) {
  const uint64_t left = bytes - 16 * static_cast<uint64_t>(block);
  from += 16 * block;
  if (left >= 16 && is_aligned(from)) return load_aligned(from);
  return load_bytes(from, left < 16 ? static_cast<uint32_t>(left) : 16);
}

/// Stores a block in the same way: of the last one, only the bytes that belong to the data.
WARPAES_HOST_DEVICE void store_block(uint8_t* to, uint64_t bytes, int64_t block, Columns value) {
  const uint64_t left = bytes - 16 * static_cast<uint64_t>(block);
  to += 16 * block;
  if (left >= 16 && is_aligned(to)) return store_aligned(to, value);
  store_bytes(to, value, left < 16 ? static_cast<uint32_t>(left) : 16);
}

/// Zeroes this lane's share of an output whose tag was wrong.
WARPAES_HOST_DEVICE void wipe_output(const BatchedMessage& message, uint32_t lanes, uint32_t lane) {
  const int64_t blocks = static_cast<int64_t>((message.bytes + 15) / 16);
  WARPAES_KEEP_ROLLED
  for (int64_t block = lane; block < blocks; block += lanes) {
    store_block(message.output, message.bytes, block, {0, 0, 0, 0});
  }
}

/// Stores the tag, or compares it in a time that does not depend on either, and writes the message's status.
/// @param stored where the message's tag lies or has to lie
/// @param status the status so far; if it is not OK, nothing is done with the tag
/// @return the status
/// @tparam Batch MessageBatch, or what has its `tag_bytes` and `statuses`
template <Ciphertext Side, class Batch>
WARPAES_HOST_DEVICE int32_t finish_message_at(const Batch& batch, uint32_t index, uint8_t* stored,
                                              Columns tag, int32_t status) {
  if (Side == Ciphertext::output) {
    if (status == WARPAES_OK) store_block(stored, batch.tag_bytes, 0, tag);
    if (batch.statuses != nullptr) batch.statuses[index] = status;
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
template <Ciphertext Side>
WARPAES_HOST_DEVICE int32_t finish_message(const MessageBatch& batch, uint32_t index, Columns tag,
                                           int32_t status) {
  return finish_message_at<Side>(batch, index, batch.tag(index), tag, status);
}

}  // namespace warpaes::core
