// Sealed messages for C++20: sealed_message.h. A part of warpaes.hpp.
#pragma once

#include "warpaes/key.hpp"
#include "warpaes/sealed_message.h"

namespace warpaes {
inline namespace v0 {

inline uint64_t sealed_bytes(warpaes_aead mode, uint64_t bytes) {
  uint64_t needed = 0;
  detail::require(warpaes_aead_sealed_bytes(mode, bytes, &needed));
  return needed;
}

/// @param sealed room for sealed_bytes() of them
inline void seal(const Key& key, warpaes_aead mode, Input aad, Input input, Output sealed) {
  detail::require(warpaes_aead_seal(key.get(), mode, aad.data(), aad.size(), input.data(), input.size(),
                                    sealed.data(), sealed.size()));
}

/// @param bytes length of the message that `output` then begins with
inline Authenticity open(const Key& key, warpaes_aead mode, Input aad, Input sealed, Output output,
                         uint64_t& bytes) {
  return detail::authenticity(warpaes_aead_open(key.get(), mode, aad.data(), aad.size(), sealed.data(),
                                                sealed.size(), output.data(), output.size(), &bytes));
}

inline uint64_t random_nonces(const Key& key) {
  uint64_t messages = 0;
  detail::require(warpaes_key_random_nonces(key.get(), &messages));
  return messages;
}

}  // namespace v0
}  // namespace warpaes
