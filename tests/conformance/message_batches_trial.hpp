// Batches of an AEAD mode in every form that they can have: messages of one length or ragged, one after
// another or scattered, under one key or a key each.
#pragma once

#include <string>

#include "conformance_case.hpp"

namespace warpaes::conformance {

/// How a batch is described to the engine, and where its bytes lie.
struct BatchForm {
  bool ragged, scattered, ragged_aad, scattered_aad, key_each, in_place;
  size_t misalignment;      // of messages, nonces and keys, 0 to 15
  bool host_nonce = false;  // of the only message
};

struct BatchedMessageExample {
  Bytes key, nonce, aad, plaintext;
  bool forged = false;  // its tag is changed before decryption
};

struct BatchedAead {
  std::string name;
  BatchForm form;
  uint64_t most_bytes, most_aad_bytes;
  size_t tag_bytes;
  std::vector<BatchedMessageExample> messages;
  Aead mode = WARPAES_AEAD_GCM;
  size_t nonce_bytes = 12;
};

/// Has the engine encrypt or decrypt the batch and looks at every byte of memory afterwards.
/// @return what is wrong, empty if nothing is
std::string difference(const Engine& engine, int device, Direction direction, const BatchedAead& batch);

}  // namespace warpaes::conformance
