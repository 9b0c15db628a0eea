// Runs batches of an AEAD mode in every form that they can have: messages of one length or of different
// lengths, one behind the other or anywhere, under one key or per-message keys.
#pragma once

#include <string>

#include "conformance_case.hpp"

namespace warpaes::core::conformance {

/// How a batch is described to the engine, and where its bytes lie.
struct BatchForm {
  bool ragged, scattered, ragged_aad, scattered_aad, key_each, in_place;
  size_t misalignment;      // of messages, nonces and keys, 0 to 15
  bool host_nonce = false;  // of the only message
  bool listed = false;      // nonces, tags and keys are where arrays of pointers say
};

/// What may be wrong with a message's entries in the arrays of its batch.
enum class WrongEntry { nothing, input, output, overlap, length, aad, aad_length, nonce, tag, key };

struct BatchedMessageExample {
  Bytes key, nonce, aad, plaintext;
  bool forged = false;  // its tag is changed before decryption
  WrongEntry wrong = WrongEntry::nothing;
};

struct BatchedAead {
  std::string name;
  BatchForm form;
  uint64_t most_bytes, most_aad_bytes;
  size_t tag_bytes;
  std::vector<BatchedMessageExample> messages;
  Aead mode = WARPAES_MODE_GCM;
  size_t nonce_bytes = 12;
};

/// Makes an entry of some messages wrong, of every kind that the batch's form has.
void plant_wrong_entries(BatchedAead& batch);

/// Has the engine encrypt or decrypt the batch and looks at every byte of memory afterwards.
/// @return what is wrong, empty if nothing is
std::string difference(const Engine& engine, int device, Direction direction, const BatchedAead& batch);

}  // namespace warpaes::core::conformance
