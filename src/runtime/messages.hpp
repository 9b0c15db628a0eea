// Runs one message or a batch in whatever form its mode has; only the code behind this header knows which.
// The lengths of nonce and tag, and members for which the mode has no use, have been checked before.
#pragma once

#include <optional>

#include "runtime/cipher.hpp"
#include "warpaes/cipher.h"

namespace warpaes::core {

/// One message. Its nonce is in host memory; everything else is in the memory that the call works on.
struct Message {
  Direction direction;
  const uint8_t* input;
  uint64_t bytes;
  uint8_t* output;
  const uint8_t* nonce;
  size_t nonce_bytes;
  const uint8_t* aad;
  uint64_t aad_bytes;
  /// In SIV the associated strings, if they were given in place of `aad`.
  std::optional<std::span<const warpaes_bytes>> strings;
  uint8_t* tag;  // only read when decrypting
  size_t tag_bytes;
  uint64_t data_unit;    // in XTS its length; 0 if the message is one data unit
  uint32_t unused_bits;  // in CFB1 how many bits of the last byte are no part of the message
  // Calls on device memory have these as well.
  int32_t* status;
  uint64_t* output_length;

  bool encrypts() const { return direction == WARPAES_DIRECTION_ENCRYPT; }
  ChainRun run() const { return {nonce, input, output, bytes}; }
  BlockRun text() const { return {input, output, bytes}; }
  CounterRun counted() const { return {nonce, input, output, bytes}; }
  XtsRun units() const { return {nonce, data_unit != 0 ? data_unit : bytes, input, output, bytes}; }
};

/// Runs a message on host memory. Throws AUTHENTICATION or PADDING, and then the output is all zero.
/// @return the length of the output without padding
uint64_t run_message_on_host(const Cipher& cipher, const Message& message);

/// @param keys null if the cipher has a key. Each message's status is written to batch.statuses, which must
///        not be null
void run_batch_on_host(const Cipher& cipher, const KeyArray* keys, const Batch& batch);

/// What calls on device memory work with.
struct DeviceCall {
  const Cipher& cipher;
  const Engine& engine;
  uint8_t* workspace;
  size_t workspace_bytes;
  Stream stream;
  /// What the kernel of a single message reads from device memory although the caller has it on the host: its
  /// nonce and SIV's list of strings. It is stored at the front of the workspace between the checks and the
  /// launch.
  std::span<const uint8_t> stored = {};

  int device() const { return cipher.context().device(); }
  const EngineKey& key() const { return cipher.key().prepared(engine); }
};

// These functions work on device memory: they check, launch and return.
void run_message_on_device(const DeviceCall& call, const Message& message);
void run_batch_on_device(const DeviceCall& call, const KeyArray* keys, const Batch& batch);

/// The size of the workspace that they need. Throws UNSUPPORTED if the engine does not have the mode.
size_t workspace_bytes(const Cipher& cipher, const Engine& engine, Direction direction, uint64_t messages,
                       uint64_t bytes);

/// Makes of a batch of GMAC what engines know: GCM without messages, whose additional data is authenticated.
void as_engines_know(Batch& batch);

/// A message as a batch of one. Its nonce stays in host memory.
Batch batch_of(const Cipher& cipher, const Message& message);

}  // namespace warpaes::core
