// Batches of messages in any mode: checks the arguments, and chooses between the engine's own form and the
// composed one.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// Checks the batch (throwing Failure before anything is written), then lets the engine do it. What is wrong
/// with a single message is reported in batch.statuses and never thrown.
/// @param workspace batch_workspace_bytes() of the engine's memory, 16-byte aligned; null if that is 0
void run_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
               size_t workspace_bytes, Stream stream);

/// These checks alone, of the batch, the key and the workspace, and that the engine takes the batch; and then
/// the work alone. They are for callers that have something to do or to check in between.
void require_runs(const Engine& engine, const BatchKey& key, const Batch& batch, const void* workspace,
                  size_t workspace_bytes);
void run_checked_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
                       Stream stream);

/// The same with a key for each message. It needs no workspace.
void run_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                        Stream stream);
void require_runs_key_each(const Engine& engine, const KeyArray& keys, const Batch& batch);
void run_checked_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                                Stream stream);

size_t batch_workspace_bytes(const Engine& engine, warpaes_mode mode, uint64_t messages, uint64_t bytes);

/// The checks that come first. They are for callers that cut a batch into parts, and must refuse all of it
/// before the first part is done.
void require_valid_batch(const Batch& batch, const void* workspace = nullptr, size_t workspace_bytes = 0);
void require_valid_batch_key_each(const KeyArray& keys, const Batch& batch);
/// All of them for a batch that has no statuses yet: whoever does it makes a place for them. @param keys may
/// be null
void require_valid_batch_but_statuses(const KeyArray* keys, const Batch& batch);
/// Throws KEY_LENGTH if the mode has no keys of that size.
void require_key_bits(warpaes_mode mode, int bits);

/// Does the engine have batches of the mode? An engine on host memory has them in every mode, one on device
/// memory only in modes for which it has a form of its own.
bool has_batches(const Engine& engine, warpaes_mode mode);
/// Can the engine do this very batch? @param each with a key for each message
bool takes_batch(const Engine& engine, const Batch& batch, bool each = false);

/// These throw UNSUPPORTED, and say what to do instead.
void require_batches(const Engine& engine, warpaes_mode mode);
void require_takes_batch(const Engine& engine, const Batch& batch, bool each = false);

}  // namespace warpaes::core
