// What each AEAD mode takes, and who does it: a row a mode, in the order of warpaes_aead.
#pragma once

#include "engines/engine.hpp"

namespace warpaes {

struct AeadRow {
  const char* name;
  bool has_192_bits;
  size_t halves = 1;  // that its key has, each a key of the cipher
  /// Longest message under a nonce of that many bytes.
  uint64_t (*most_bytes)(size_t nonce_bytes);
  uint64_t most_aad_bytes;
  size_t shortest_nonce, longest_nonce;
  size_t recommended_nonce;
  size_t batch_nonce;    // the only length of nonces in a batch; 0: all that one message may have
  uint32_t tag_lengths;  // bit n: a tag of n bytes is allowed
  bool chains;           // from block to block: a message is one lane's work on a GPU
  const char* limits;    // nonce and tag in words, for messages of errors
  Engine::FusedAead (*fused)(const Engine& engine);
  /// From the block functions and the modes beneath, for host engines.
  void (*composed)(const Engine& engine, const AeadKey& key, const AeadBatch& batch);
};

/// Throws OPTION for a number that names no mode.
const AeadRow& aead_row(Aead mode);

}  // namespace warpaes
