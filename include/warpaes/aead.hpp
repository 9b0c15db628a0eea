// Modes that encrypt and authenticate, for C++20: aead.h. A part of warpaes.hpp.
#pragma once

#include "warpaes/aead.h"
#include "warpaes/key.hpp"

namespace warpaes {
inline namespace v0 {

/// A mode that authenticates, with its key, which must outlive it. aead.h says which nonces, tags and lengths
/// the modes have.
class Aead {
 public:
  Aead(const Key& key, warpaes_aead mode) : key_(key), mode_(mode) {}

  void encrypt(Input nonce, Input aad, Input input, Output output, Output tag) const {
    detail::require(warpaes_aead_encrypt(key_.get(), mode_, nonce.data(), nonce.size(), aad.data(),
                                         aad.size(), input.data(), output.data(),
                                         detail::common(input, output), tag.data(), tag.size()));
  }
  Authenticity decrypt(Input nonce, Input aad, Input input, Output output, Input tag) const {
    return detail::authenticity(warpaes_aead_decrypt(key_.get(), mode_, nonce.data(), nonce.size(),
                                                     aad.data(), aad.size(), input.data(), output.data(),
                                                     detail::common(input, output), tag.data(), tag.size()));
  }
  /// @return wrong_tag if at least one message has it; batch.statuses says which
  Authenticity batch(Direction direction, const warpaes_aead_batch_arguments& batch) const {
    return detail::authenticity(warpaes_aead_batch(key_.get(), mode_, direction, &batch));
  }

  // Device memory, asynchronous on a stream.

  size_t workspace_bytes(uint64_t messages, uint64_t bytes) const {
    size_t needed = 0;
    detail::require(warpaes_aead_workspace_bytes(key_.get(), mode_, messages, bytes, &needed));
    return needed;
  }
  /// @param nonce host memory
  void encrypt(Input nonce, Input aad, Input input, Output output, Output tag, Output workspace,
               Stream stream) const {
    detail::require(warpaes_aead_encrypt_device(
        key_.get(), mode_, nonce.data(), nonce.size(), aad.data(), aad.size(), input.data(), output.data(),
        detail::common(input, output), tag.data(), tag.size(), workspace.data(), workspace.size(), stream));
  }
  /// @param nonce host memory
  /// @param status device memory; says WARPAES_OK or WARPAES_ERROR_AUTHENTICATION when the stream has come
  ///        past this call
  void decrypt(Input nonce, Input aad, Input input, Output output, Input tag, int32_t* status,
               Output workspace, Stream stream) const {
    detail::require(warpaes_aead_decrypt_device(key_.get(), mode_, nonce.data(), nonce.size(), aad.data(),
                                                aad.size(), input.data(), output.data(),
                                                detail::common(input, output), tag.data(), tag.size(), status,
                                                workspace.data(), workspace.size(), stream));
  }
  void batch(Direction direction, const warpaes_aead_batch_arguments& batch, Output workspace,
             Stream stream) const {
    detail::require(warpaes_aead_batch_device(key_.get(), mode_, direction, &batch, workspace.data(),
                                              workspace.size(), stream));
  }

 private:
  const Key& key_;
  warpaes_aead mode_;
};

inline void gmac(const Key& key, Input nonce, Input input, Output tag) {
  detail::require(warpaes_gmac(key.get(), nonce.data(), nonce.size(), input.data(), input.size(), tag.data(),
                               tag.size()));
}

/// A key for each message; `keys` holds them one after another, of `key_bytes` bytes each.
inline Authenticity aead_batch_key_each(const Context& context, Input keys, size_t key_bytes,
                                        warpaes_aead mode, Direction direction,
                                        const warpaes_aead_batch_arguments& batch) {
  return detail::authenticity(
      warpaes_aead_batch_key_each(context.get(), keys.data(), key_bytes, key_bytes, mode, direction, &batch));
}
/// @param keys device memory, as all of the batch
inline void aead_batch_key_each(const Context& context, Input keys, size_t key_bytes, warpaes_aead mode,
                                Direction direction, const warpaes_aead_batch_arguments& batch,
                                Stream stream) {
  detail::require(warpaes_aead_batch_key_each_device(context.get(), keys.data(), key_bytes, key_bytes, mode,
                                                     direction, &batch, stream));
}

}  // namespace v0
}  // namespace warpaes
