// What the composed AEAD modes have in common: a batch message by message, and what becomes of a message
// whose tag is wrong.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>

#include "engines/batch_message.hpp"
#include "modes/chain.hpp"

namespace warpaes {

/// In constant time. @param made the tag that the message should have
inline bool tag_is_right(const MacBlock& made, const BatchMessage& message, size_t tag_bytes) {
  return CRYPTO_memcmp(made.data(), message.tag, tag_bytes) == 0;
}

/// @param mode has, for one message,
///          MacBlock seal(message)        encrypts it, and returns its tag
///          MacBlock open(message)        decrypts it, and returns the tag that it should have
template <class Mode>
void run_messages(Mode& mode, const AeadBatch& batch) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    if (batch.direction == WARPAES_ENCRYPT) {
      const MacBlock tag = mode.seal(message);
      std::copy_n(tag.begin(), batch.tag_bytes, message.tag);
      continue;
    }
    const bool right = tag_is_right(mode.open(message), message, batch.tag_bytes);
    if (!right && message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
    batch.statuses[index] = right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
  }
}

}  // namespace warpaes
