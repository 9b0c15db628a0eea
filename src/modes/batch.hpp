// Batches of messages, of any mode: the checks of their arguments, and the choice between the engine's own
// form and the composed one.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// Checks the batch (throwing Failure before anything is written), then has the engine do it. What is wrong
/// with a message is reported in batch.statuses, never thrown.
/// @param workspace batch_workspace_bytes() of the engine's memory, 16-byte aligned; null if that is 0
void run_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
               size_t workspace_bytes, Stream stream);

/// The same with a key for each message, and no workspace.
void run_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                        Stream stream);

size_t batch_workspace_bytes(const Engine& engine, warpaes_mode mode, uint64_t messages, uint64_t bytes);

/// What these check first: for callers that cut a batch into parts, and must refuse the whole before the
/// first part is done.
void require_valid_batch(const Batch& batch, const void* workspace = nullptr, size_t workspace_bytes = 0);
void require_valid_batch_key_each(const KeyArray& keys, const Batch& batch);
/// Throws KEY_LENGTH if the mode has no keys of that size.
void require_key_bits(warpaes_mode mode, int bits);

/// Has the engine batches of the mode? A host engine has every mode, one on device memory those that are its
/// own.
bool has_batches(const Engine& engine, warpaes_mode mode);
/// And this batch of it?
bool takes_batch(const Engine& engine, const Batch& batch);
bool takes_batch_key_each(const Engine& engine, const Batch& batch);

/// Throw UNSUPPORTED, saying what to do instead.
void require_batches(const Engine& engine, warpaes_mode mode);
void require_takes_batch(const Engine& engine, const Batch& batch);
void require_takes_batch_key_each(const Engine& engine, const Batch& batch);

}  // namespace warpaes::core
