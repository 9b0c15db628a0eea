// What the composed AEAD modes have in common: a batch message by message, and what becomes of a message
// whose tag is wrong.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>

#include "engines/batch_message.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes {

/// @param mode has, for one message,
///          MacBlock seal(message)        encrypts it, and returns its tag
///          MacBlock open(message)        decrypts it, and returns the tag that it should have
template <class Mode>
void run_messages(Mode& mode, const AeadBatch& batch) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    if (batch.direction == WARPAES_ENCRYPT) {
      const SecretBlock tag(mode.seal(message));
      std::copy_n(tag.begin(), batch.tag_bytes, message.tag);
      continue;
    }
    // Whoever finds the tag that a forgery should have had can forge: it is wiped.
    const SecretBlock tag(mode.open(message));
    const bool right = CRYPTO_memcmp(tag.data(), message.tag, batch.tag_bytes) == 0;
    if (!right && message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
    batch.statuses[index] = right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
  }
}

}  // namespace warpaes
