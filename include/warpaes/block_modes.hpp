// The rarer forms of CBC, CFB and CTR for C++20: block_modes.h, which says what each call does. A part of
// warpaes.hpp, which includes it.
#pragma once

#include <array>

#include "warpaes/block_modes.h"
#include "warpaes/key.hpp"

namespace warpaes {
inline namespace v0 {

using Stealing = warpaes_stealing;

/// @param output as long as the next multiple of 16
inline void cbc_pkcs7_encrypt(const Key& key, Block iv, Input input, Output output) {
  if (output.size() != input.size() / 16 * 16 + 16) {
    throw Error(WARPAES_ERROR_BUFFER_SIZE, "the output must have the next multiple of 16 bytes");
  }
  detail::require(warpaes_cbc_pkcs7_encrypt(key.get(), iv.data(), input.data(), output.data(), input.size()));
}
/// @return bytes of the message
inline uint64_t cbc_pkcs7_decrypt(const Key& key, Block iv, Input input, Output output) {
  uint64_t bytes = 0;
  detail::require(warpaes_cbc_pkcs7_decrypt(key.get(), iv.data(), input.data(), output.data(),
                                            detail::common(input, output), &bytes));
  return bytes;
}

inline void cbc_cts_encrypt(const Key& key, Stealing variant, Block iv, Input input, Output output) {
  detail::require(warpaes_cbc_cts_encrypt(key.get(), variant, iv.data(), input.data(), output.data(),
                                          detail::common(input, output)));
}
inline void cbc_cts_decrypt(const Key& key, Stealing variant, Block iv, Input input, Output output) {
  detail::require(warpaes_cbc_cts_decrypt(key.get(), variant, iv.data(), input.data(), output.data(),
                                          detail::common(input, output)));
}

inline void cfb8_encrypt(const Key& key, Block iv, Input input, Output output) {
  detail::require(
      warpaes_cfb8_encrypt(key.get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
}
inline void cfb8_decrypt(const Key& key, Block iv, Input input, Output output) {
  detail::require(
      warpaes_cfb8_decrypt(key.get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
}

/// Whole bytes of the message; the C ABI has any number of bits.
inline void cfb1_encrypt(const Key& key, Block iv, Input input, Output output) {
  detail::require(warpaes_cfb1_encrypt(key.get(), iv.data(), input.data(), output.data(),
                                       8 * detail::common(input, output)));
}
inline void cfb1_decrypt(const Key& key, Block iv, Input input, Output output) {
  detail::require(warpaes_cfb1_decrypt(key.get(), iv.data(), input.data(), output.data(),
                                       8 * detail::common(input, output)));
}

/// RFC 3686's first counter block.
inline std::array<uint8_t, 16> ctr_rfc3686_counter(std::span<const uint8_t, 4> nonce,
                                                   std::span<const uint8_t, 8> iv) {
  std::array<uint8_t, 16> counter;
  detail::require(warpaes_ctr_rfc3686_counter(nonce.data(), iv.data(), counter.data()));
  return counter;
}

}  // namespace v0
}  // namespace warpaes
