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

/// Throws NONCE_LENGTH without a nonce, OPTION for an unknown mode.
AeadBatch batch_of(Aead mode, Direction direction, const AeadMessage& message);

/// Throws OPTION for a structure of another version or an unknown mode.
AeadBatch batch_of(Aead mode, Direction direction, const warpaes_aead_batch_arguments* arguments);

}  // namespace warpaes::c_api
