// CBC, CFB and OFB encryption, CMAC and CBC-MAC over batches of independent messages.
#pragma once

#include "engines/engine.hpp"
#include "failure.hpp"

namespace warpaes {

/// Checks the batch (throwing Failure before anything is written), then has the engine do it.
/// @param batch in the engine's memory; a batch of one message is what a single call is
void chained_batch(const Engine& engine, const EngineKey& key, const ChainedBatch& batch, Stream stream);

/// What chained_batch() checks first.
void require_valid_chained(const ChainedBatch& batch);

/// From nothing but encrypt_blocks, for host engines: what an engine without batches gets, and the oracle
/// of those that have them.
void chained_batch_composed(const Engine& engine, const EngineKey& key, const ChainedBatch& batch);

/// `count` messages from message `first` on.
ChainedBatch part_of(const ChainedBatch& batch, uint64_t first, uint64_t count);

/// One message of a batch that lies in host memory.
struct ChainedMessage {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  const uint8_t* iv;
  uint8_t* tag;
  Status status;  // unless it is OK, nothing may be read or written
};
ChainedMessage message_of(const ChainedBatch& batch, uint64_t index);

}  // namespace warpaes
