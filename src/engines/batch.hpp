// A batch: many messages of one mode, under one key or under a key each; a single message is a batch of one.
// The calls of the C API are checked and turned into this structure, and engines take it as it is. This file
// also says how a batch is cut into parts, and how one message of it is found.
#pragma once

#include <openssl/crypto.h>

#include <cstddef>
#include <cstdint>

#include "process/residue.hpp"
#include "warpaes/mode.h"
#include "warpaes/status.h"

namespace warpaes::core {

using Status = warpaes_status;
using Direction = warpaes_direction;

/// Message m lies at pointer + m * stride, and all messages have `bytes` bytes, unless the arrays at the end
/// say otherwise. Everything, including the arrays, is in the engine's memory, except host_nonce. Members
/// that the mode has no use for are null or 0.
struct Batch {
  warpaes_mode mode = WARPAES_MODE_GCM;  // GMAC is GCM without a message: its input is the additional data
  Direction direction = WARPAES_DIRECTION_ENCRYPT;
  uint64_t messages = 0;
  uint64_t bytes = 0;
  const uint8_t* input = nullptr;
  uint64_t input_stride = 0;
  uint8_t* output = nullptr;
  uint64_t output_stride = 0;
  /// In AEAD modes but SIV, a single message may have its nonce here: in host memory, of any length that the
  /// mode allows. In GCM none of the arrays below may be given then.
  const uint8_t* host_nonce = nullptr;
  size_t host_nonce_bytes = 0;
  const uint8_t* nonces = nullptr;  // if host_nonce is null: nonces, IVs, first counters or tweaks
  uint64_t nonce_stride = 0;
  size_t nonce_bytes = 12;  // the length of each; 0 if there are none
  const uint8_t* aad = nullptr;
  uint64_t aad_bytes = 0;
  uint64_t aad_stride = 0;  // 0: all messages share it
  uint8_t* tags = nullptr;  // only read when decrypting
  uint64_t tag_stride = 0;
  size_t tag_bytes = 0;
  /// A warpaes_status for every message; all of them are written. May be null for a regular batch that no
  /// data can make fail. The output of a message that is not authentic is zeroed; a message whose entry in
  /// the arrays below is wrong is left alone.
  int32_t* statuses = nullptr;

  // Each of these may be null, and then what is said above holds. If an entry is null although there are
  // bytes that it should point to, its message has the status NULL_POINTER.
  const uint64_t* lengths = nullptr;       // of each message; `bytes` is the largest that is allowed
  const uint8_t* const* inputs = nullptr;  // where messages are, instead of input + m * input_stride
  uint8_t* const* outputs = nullptr;
  const uint8_t* const* aads = nullptr;
  const uint64_t* aad_lengths = nullptr;  // of each message; aad_bytes is the largest that is allowed
  const uint8_t* const* nonce_pointers = nullptr;  // if host_nonce is null: instead of `nonces`
  uint8_t* const* tag_pointers = nullptr;          // instead of `tags`

  /// The length of each output, 0 for messages that failed. May be null, unless the caller could not know the
  /// lengths. Engines on device memory write it in modes whose output is not as long as the input.
  uint64_t* output_lengths = nullptr;

  /// SIV: how many associated strings each message has. String s of message m is entry m * aad_strings + s of
  /// `aad`, `aads` and `aad_lengths`.
  size_t aad_strings = 1;

  /// CFB-1, on device memory: how many bits of each message's last byte, the lowest, are no part of it. They
  /// are zero in the output.
  uint32_t unused_bits = 0;
};

/// A key for each message of a batch, in the engine's memory: that of message m is at keys + m * stride,
/// unless there is an array of their addresses. A null entry in the array gives its message the status
/// NULL_POINTER.
struct KeyArray {
  const uint8_t* keys;
  uint64_t stride;
  /// The length of each key: 16, 24 or 32. For XTS and SIV twice as much: in XTS the data's key comes before
  /// the tweak's, in SIV the MAC's key before the cipher's.
  size_t bytes;
  const uint8_t* const* key_pointers = nullptr;  // instead of `keys`
};

/// Are all messages of one length and one stride apart, so that none of the arrays is given?
inline bool is_regular(const Batch& batch) {
  return !batch.lengths && !batch.inputs && !batch.outputs && !batch.aads && !batch.aad_lengths &&
         !batch.nonce_pointers && !batch.tag_pointers;
}

/// Are any addresses in arrays? If not, it is known where everything lies without a look at the messages.
inline bool has_pointers(const Batch& batch) {
  return batch.inputs || batch.outputs || batch.aads || batch.nonce_pointers || batch.tag_pointers;
}

inline size_t nonce_bytes_of(const Batch& batch) {
  return batch.host_nonce != nullptr ? batch.host_nonce_bytes : batch.nonce_bytes;
}

/// Does the batch write its tags? When decrypting it only reads them.
bool writes_tags(const Batch& batch);

/// The `count` messages from number `first` on, as a batch.
Batch part_of(const Batch& batch, uint64_t first, uint64_t count);

/// The pointer to what lies `by` elements further on; but null stays null.
template <class T>
T* shifted(T* pointer, uint64_t by) {
  return pointer == nullptr ? nullptr : pointer + by;
}

/// The entry `index` of an array, or of what lies one stride apart if there is no array.
template <class T>
T* entry_of(T* const* array, T* first, uint64_t stride, uint64_t index) {
  return array != nullptr ? array[index] : shifted(first, index * stride);
}

/// The keys of the messages from number `first` on.
inline KeyArray keys_from(const KeyArray& keys, uint64_t first) {
  return {shifted(keys.keys, first * keys.stride), keys.stride, keys.bytes,
          shifted(keys.key_pointers, first)};
}

/// The key of a message. @param keys in host memory @return null if the array of addresses has none
inline const uint8_t* key_of(const KeyArray& keys, uint64_t index) {
  return entry_of(keys.key_pointers, keys.keys, keys.stride, index);
}

/// One message of a batch in host memory, however the batch describes it.
struct BatchMessage {
  uint64_t index;  // in the batch
  Status status;   // if it is not OK, an entry of the batch's arrays is wrong, and all members below are zero
  uint64_t bytes;
  uint64_t output_bytes;  // the room that its output needs
  const uint8_t* input;
  uint8_t* output;
  const uint8_t* nonce;
  size_t nonce_bytes;
  const uint8_t* aad;  // of the first string, if there are several
  uint64_t aad_bytes;
  uint8_t* tag;
};

struct AadString {
  const uint8_t* data;
  uint64_t bytes;
};

/// String number `string` of a message's additional data; SIV may have several.
AadString aad_of(const Batch& batch, uint64_t index, size_t string);

/// @param batch a batch whose arrays are in host memory
BatchMessage message_of(const Batch& batch, uint64_t index);

/// The same for a batch with a key for each message. What is wrong with its key is the message's status, too:
/// NULL_POINTER for a missing address, XTS_KEYS for a key of XTS whose halves are equal. @param keys may be
/// null
BatchMessage message_of(const Batch& batch, const KeyArray* keys, uint64_t index);

/// What became of a message.
struct Outcome {
  Status status;
  uint64_t bytes;  // the length of the output
};
/// Writes it to those of the batch's arrays that are given.
void tell(const Batch& batch, uint64_t index, const Outcome& outcome);

/// Calls work(message), which returns an Outcome, for each message whose entries are right, and records the
/// outcome of every message.
template <class Work>
void for_each_message(const Batch& batch, const Work& work) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    tell(batch, index, message.status == WARPAES_OK ? work(message) : Outcome{message.status, 0});
  }
}

/// The same for AEAD modes. The output of a message that is not authentic is zeroed. Whoever finds the tag
/// that it should have had can forge, so what the work left of it in the thread is wiped as well.
/// @param work (const BatchMessage&) -> bool: when decrypting, is the tag right?
template <class Work>
void for_each_sealed_message(const Batch& batch, const Work& work) {
  for_each_message(batch, [&](const BatchMessage& message) -> Outcome {
    if (work(message)) return {WARPAES_OK, message.bytes};
    if (message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
    wipe_residue(StackDepth::callers_thread);
    return {WARPAES_ERROR_AUTHENTICATION, 0};
  });
}

}  // namespace warpaes::core
