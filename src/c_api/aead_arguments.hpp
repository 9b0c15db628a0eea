// AEAD arguments in the C ABI's shape made into the engines' shape.
#pragma once

#include "c_api/handles.hpp"

namespace warpaes::c_api {

/// One message. Its tag is only read when decrypting.
struct AeadMessage {
  const void* nonce;
  size_t nonce_bytes;
  const void* aad;
  uint64_t aad_bytes;
  const void* input;
  void* output;
  uint64_t bytes;
  const void* tag;
  size_t tag_bytes;
  int32_t* status;
};

/// Throws OPTION for SIV, whose calls for one message are others.
void require_mode_of_one_message(Aead mode);

/// Throws NONCE_LENGTH without a nonce, OPTION for an unknown mode and for SIV.
AeadBatch batch_of(Aead mode, Direction direction, const AeadMessage& message);

/// Throws OPTION for a structure of another version or an unknown mode.
AeadBatch batch_of(Aead mode, Direction direction, const warpaes_aead_batch_arguments* arguments);

/// SIV's other key, null for other modes. Throws NULL_POINTER if it is missing, OPTION if it is given to
/// another mode or does not fit `key`, KEY_LENGTH if its size does not.
const Key* mac_key_of(const Key& key, Aead mode, const warpaes_aead_batch_arguments& arguments);

/// Throws OPTION for a MAC key beside a key each.
void require_no_mac_key(const warpaes_aead_batch_arguments& arguments);

}  // namespace warpaes::c_api
