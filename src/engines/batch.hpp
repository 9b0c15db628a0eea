// A batch: messages of one mode under one key, or under a key each. The C API's calls are checked into this
// struct, and engines take it as it is: here is how it is cut into parts, and what one message of it is.
#pragma once

#include <openssl/crypto.h>

#include <cstddef>
#include <cstdint>

#include "warpaes/mode.h"
#include "warpaes/status.h"

namespace warpaes::core {

using Status = warpaes_status;
using Direction = warpaes_direction;

/// Message m lies at pointer + m * stride, and all messages have `bytes` bytes, unless the arrays at the end
/// say otherwise. Everything is in the engine's memory, the arrays too, except host_nonce. What the mode does
/// not have is null and 0.
struct Batch {
  warpaes_mode mode = WARPAES_MODE_GCM;  // GMAC is GCM of no message, which it has as additional data
  Direction direction = WARPAES_DIRECTION_ENCRYPT;  // CMAC: makes the tags, whatever it says
  uint64_t messages = 0;
  uint64_t bytes = 0;
  const uint8_t* input = nullptr;
  uint64_t input_stride = 0;
  uint8_t* output = nullptr;
  uint64_t output_stride = 0;
  /// AEAD modes, one message: its nonce, of any length that the mode has, in host memory. GCM: no array
  /// describes the message.
  const uint8_t* host_nonce = nullptr;
  size_t host_nonce_bytes = 0;
  const uint8_t* nonces = nullptr;  // if host_nonce is null: nonces, IVs, first counters or tweaks
  uint64_t nonce_stride = 0;
  size_t nonce_bytes = 12;  // of each; 0: there are none
  const uint8_t* aad = nullptr;
  uint64_t aad_bytes = 0;
  uint64_t aad_stride = 0;  // 0: shared
  uint8_t* tags = nullptr;  // decrypting: only read
  uint64_t tag_stride = 0;
  size_t tag_bytes = 0;
  /// One warpaes_status a message, written for every message. May be null if no message can fail: of a
  /// regular batch whose data cannot be refused. A message that is not authentic is zeroed; one whose entry
  /// in the arrays below is wrong is left alone.
  int32_t* statuses = nullptr;

  // Each may be null, and is then as above. A null entry gives its message the status NULL_POINTER, unless
  // there are no bytes that it would point to.
  const uint64_t* lengths = nullptr;       // of the messages; `bytes` is the most that one may have
  const uint8_t* const* inputs = nullptr;  // where messages are, instead of input + m * input_stride
  uint8_t* const* outputs = nullptr;
  const uint8_t* const* aads = nullptr;
  const uint64_t* aad_lengths = nullptr;           // aad_bytes is the most
  const uint8_t* const* nonce_pointers = nullptr;  // if host_nonce is null: instead of `nonces`
  uint8_t* const* tag_pointers = nullptr;          // instead of `tags`

  /// How long each output is, 0 if its message failed. May be null, unless the caller could not know it.
  /// Engines on device memory write it in modes whose output is not as long as the input.
  uint64_t* output_lengths = nullptr;

  /// SIV: associated strings of each message; string s of message m is entry m * aad_strings + s of `aad`,
  /// `aads` and `aad_lengths`.
  size_t aad_strings = 1;
};

/// A key for each message of a batch, in the engine's memory: key m at keys + m * stride, unless there is an
/// array of their addresses. A null entry of it gives its message the status NULL_POINTER.
struct KeyArray {
  const uint8_t* keys;
  uint64_t stride;
  /// Of each: 16, 24 or 32. XTS and SIV: twice that, first the data's key, then the tweak's, or first the
  /// MAC's.
  size_t bytes;
  const uint8_t* const* key_pointers = nullptr;  // instead of `keys`
};

/// Messages of one length, one stride apart: none of the arrays is given.
inline bool is_regular(const Batch& batch) {
  return !batch.lengths && !batch.inputs && !batch.outputs && !batch.aads && !batch.aad_lengths &&
         !batch.nonce_pointers && !batch.tag_pointers;
}

inline size_t nonce_bytes_of(const Batch& batch) {
  return batch.host_nonce != nullptr ? batch.host_nonce_bytes : batch.nonce_bytes;
}

/// Are the batch's tags written, or read? CMAC makes them in both directions.
bool writes_tags(const Batch& batch);

/// `count` messages from message `first` on.
Batch part_of(const Batch& batch, uint64_t first, uint64_t count);

/// The keys of the messages from message `first` on.
inline KeyArray keys_from(const KeyArray& keys, uint64_t first) {
  return {keys.keys == nullptr ? nullptr : keys.keys + first * keys.stride, keys.stride, keys.bytes,
          keys.key_pointers == nullptr ? nullptr : keys.key_pointers + first};
}

/// @param keys in host memory @return null: the entry is wrong
inline const uint8_t* key_of(const KeyArray& keys, uint64_t index) {
  if (keys.key_pointers != nullptr) return keys.key_pointers[index];
  return keys.keys == nullptr ? nullptr : keys.keys + index * keys.stride;
}

/// One message of a batch in host memory, whichever way the batch describes it.
struct BatchMessage {
  uint64_t index;  // in the batch
  Status status;   // unless it is OK, an entry of the batch's arrays is wrong, and what follows is zero
  uint64_t bytes;
  uint64_t output_bytes;  // the room that its output needs
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
AadString aad_of(const Batch& batch, uint64_t index, size_t string);

/// @param batch its arrays in host memory
BatchMessage message_of(const Batch& batch, uint64_t index);

/// The same in a batch with a key for each message, whose address may be missing. @param keys may be null
BatchMessage message_of(const Batch& batch, const KeyArray* keys, uint64_t index);

/// What becomes of a message.
struct Outcome {
  Status status;
  uint64_t bytes;  // of output
};
void tell(const Batch& batch, uint64_t index, const Outcome& outcome);

/// Calls work(message), which returns the outcome, for each message whose entries are right, and tells every
/// message's outcome.
template <class Work>
void for_each_message(const Batch& batch, const Work& work) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    tell(batch, index, message.status == WARPAES_OK ? work(message) : Outcome{message.status, 0});
  }
}

/// The same for AEAD modes.
/// @param work (const BatchMessage&) -> bool: of decryption, is the tag right? If not, the output is zeroed
template <class Work>
void for_each_sealed_message(const Batch& batch, const Work& work) {
  for_each_message(batch, [&](const BatchMessage& message) -> Outcome {
    if (work(message)) return {WARPAES_OK, message.bytes};
    if (message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
    return {WARPAES_ERROR_AUTHENTICATION, 0};
  });
}

}  // namespace warpaes::core
