// GCM batches in every form that they can have: messages of one length or ragged, one after another or
// scattered, under one key or a key each.
#pragma once

#include <string>

#include "conformance_case.hpp"

namespace warpaes::conformance {

/// How a batch is described to the engine, and where its bytes lie.
struct BatchForm {
  bool ragged, scattered, ragged_aad, scattered_aad, key_each, in_place;
  size_t misalignment;  // of messages, nonces and keys, 0 to 15
};

struct BatchedGcmMessage {
  Bytes key, nonce, aad, plaintext;
  bool forged = false;  // its tag is changed before decryption
};

struct BatchedGcm {
  std::string name;
  BatchForm form;
  uint64_t most_bytes, most_aad_bytes;
  size_t tag_bytes;
  std::vector<BatchedGcmMessage> messages;
};

/// Has the engine encrypt or decrypt the batch and looks at every byte of memory afterwards.
/// @return what is wrong, empty if nothing is
std::string difference(const Engine& engine, int device, Direction direction, const BatchedGcm& batch);

}  // namespace warpaes::conformance
