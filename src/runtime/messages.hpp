// One message, or a batch, by whatever form its mode has: the one place that knows which. Lengths of nonce
// and tag, and members that the mode does not have, have been checked before.
#pragma once

#include <optional>

#include "runtime/cipher.hpp"
#include "warpaes/cipher.h"

namespace warpaes::core {

/// One message. A nonce is in host memory, all else in that of the call.
struct Message {
  Direction direction;
  const uint8_t* input;
  uint64_t bytes;
  uint8_t* output;
  const uint8_t* nonce;
  size_t nonce_bytes;
  const uint8_t* aad;
  uint64_t aad_bytes;
  /// SIV: the associated strings, if they were given in place of `aad`.
  std::optional<std::span<const warpaes_bytes>> strings;
  uint8_t* tag;  // decrypting: only read
  size_t tag_bytes;
  uint64_t data_unit;    // XTS; 0: the message is one
  uint32_t unused_bits;  // CFB1
  // On the device:
  int32_t* status;
  uint64_t* output_length;

  bool encrypts() const { return direction == WARPAES_DIRECTION_ENCRYPT; }
};

/// On host memory.
/// @return the length of the output, without padding. Throws AUTHENTICATION and PADDING, with an output of
///         zeros
uint64_t run_message(const Cipher& cipher, const Message& message);

/// The keys are null if the cipher has one. Each message's status is in batch.statuses, which are not null.
void run_batch(const Cipher& cipher, const KeyArray* keys, const Batch& batch);

/// Where device calls work.
struct DeviceCall {
  const Cipher& cipher;
  const Engine& engine;
  uint8_t* workspace;
  size_t workspace_bytes;
  Stream stream;
  /// One message whose kernel reads the nonce from device memory: it is stored at the front of the workspace
  /// between the checks and the launch. Else empty.
  std::span<const uint8_t> stored_nonce = {};
};

// On device memory: they check, launch and return.
void run_message(const DeviceCall& call, const Message& message);
void run_batch(const DeviceCall& call, const KeyArray* keys, const Batch& batch);

/// What these need of a workspace. Throws UNSUPPORTED if the engine has no such mode.
size_t workspace_bytes(const Cipher& cipher, const Engine& engine, Direction direction, uint64_t messages,
                       uint64_t bytes);

/// The mode of batches: GMAC is GCM of no message.
inline warpaes_mode batch_mode(warpaes_mode mode) {
  return mode == WARPAES_MODE_GMAC ? WARPAES_MODE_GCM : mode;
}

/// Has the stream write the nonce that a call stores into the workspace.
void store_nonce(const DeviceCall& call);

/// A message as a batch of one, but for its nonce.
Batch batch_of(const Cipher& cipher, const Message& message);

}  // namespace warpaes::core
