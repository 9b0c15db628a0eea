// What the composed AEAD modes have in common: a batch is done message by message, and the output of a
// message whose tag is wrong is zeroed.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>

#include "engines/batch.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// Is a message's tag right? Whoever finds the tag that a forgery should have had can forge, so it is wiped.
/// This function is not inlined, so that what the compiler keeps of the tag lies in this stack frame or
/// below, which for_each_sealed_message() wipes.
/// @param right_tag () -> MacBlock, makes it
[[gnu::noinline]] bool has_right_tag(const BatchMessage& message, size_t tag_bytes, const auto& right_tag) {
  const SecretBlock tag(right_tag());
  return CRYPTO_memcmp(tag.data(), message.tag, tag_bytes) == 0;
}

/// Does a batch of a mode that has one function for both directions.
/// @param tag_of (const BatchMessage&) -> MacBlock: encrypts or decrypts the message, and makes the tag that
///        it should have
void run_messages(const Batch& batch, const auto& tag_of) {
  for_each_sealed_message(batch, [&](const BatchMessage& message) {
    if (batch.direction == WARPAES_DIRECTION_DECRYPT) {
      return has_right_tag(message, batch.tag_bytes, [&] { return tag_of(message); });
    }
    const SecretBlock tag(tag_of(message));
    std::copy_n(tag.begin(), batch.tag_bytes, message.tag);
    return true;
  });
}

/// Does a batch of a mode that has a function for each direction.
/// @param mode an object with two functions for one message:
///          MacBlock seal(message)        encrypts it, and returns its tag
///          MacBlock open(message)        decrypts it, and returns the tag that it should have
template <class Mode>
void run_messages(Mode& mode, const Batch& batch) {
  run_messages(batch, [&](const BatchMessage& message) {
    return batch.direction == WARPAES_DIRECTION_ENCRYPT ? mode.seal(message) : mode.open(message);
  });
}

}  // namespace warpaes::core
