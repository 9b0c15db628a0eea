// Batches of independent messages: the modes that do not authenticate, CMAC and CBC-MAC, KW and KWP.
#pragma once

#include "engines/engine.hpp"
#include "failure.hpp"

namespace warpaes::core {

/// Checks the batch (throwing Failure before anything is written), then has the engine do it.
/// @param batch in the engine's memory, of any mode but XTS; one message of CMAC is what a single call is
void cipher_batch(const Engine& engine, const EngineKey& key, const CipherBatch& batch, Stream stream);

/// XTS, each message a data unit.
void xts_batch(const Engine& engine, const XtsKeys& keys, const CipherBatch& batch, Stream stream);

/// The same with a key for each message; XTS, with a pair of them.
void cipher_key_each(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch,
                     Stream stream);

/// What these check first.
void require_valid_cipher_batch(const CipherBatch& batch);
void require_valid_cipher_key_each(const KeyArray& keys, const CipherBatch& batch);

/// Host engines have every mode. An engine on device memory has those that it has fused.
bool has_cipher_batch(const Engine& engine, CipherMode mode);
bool has_cipher_key_each(const Engine& engine, CipherMode mode);

/// Throw UNSUPPORTED, saying what to do instead.
void require_cipher_batch(const Engine& engine, CipherMode mode);
void require_cipher_key_each(const Engine& engine, CipherMode mode);

/// Message by message, for host engines: what an engine without batches gets, and the oracle of those that
/// have them.
void cipher_batch_composed(const Engine& engine, const EngineKey& key, const CipherBatch& batch);
void xts_batch_composed(const Engine& engine, const XtsKeys& keys, const CipherBatch& batch);

/// How long the output of so many bytes is, at most: what the padding was, decryption tells. 2^64 - 1 if no
/// memory is as long.
uint64_t output_bytes(CipherMode mode, uint64_t bytes);

/// Is the output as long as the input, or may it be another length?
inline bool changes_length(CipherMode mode) { return wraps_keys(mode) || pads(mode); }

/// `count` messages from message `first` on.
CipherBatch part_of(const CipherBatch& batch, uint64_t first, uint64_t count);

/// One message of a batch that lies in host memory.
struct CipherMessage {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  const uint8_t* iv;
  uint8_t* tag;
  Status status;  // unless it is OK, nothing may be read or written
};
CipherMessage message_of(const CipherBatch& batch, uint64_t index);

}  // namespace warpaes::core
