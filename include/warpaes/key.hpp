// A key, and the modes that need nothing else, for C++20: context.h, cipher_modes.h and cipher_batch.h. A
// part of warpaes.hpp.
#pragma once

#include <memory>
#include <span>

#include "warpaes/cipher_batch.h"
#include "warpaes/cipher_modes.h"
#include "warpaes/context.hpp"

namespace warpaes {
inline namespace v0 {

/// A key of 16, 24 or 32 bytes, expanded once. Threads may share it; its context must outlive it.
class Key {
 public:
  Key(const Context& context, Input key) {
    warpaes_key* made = nullptr;
    detail::require(warpaes_key_create(context.get(), key.data(), static_cast<size_t>(key.size()), &made));
    handle_.reset(made);
  }

  warpaes_key* get() const { return handle_.get(); }

  // Host memory. Input and output have the same length, and are the same or do not overlap.

  void ecb_encrypt(Input input, Output output) const {
    detail::require(warpaes_ecb_encrypt(get(), input.data(), output.data(), detail::common(input, output)));
  }
  void ecb_decrypt(Input input, Output output) const {
    detail::require(warpaes_ecb_decrypt(get(), input.data(), output.data(), detail::common(input, output)));
  }
  void ctr_crypt(std::span<const uint8_t, 16> counter, Input input, Output output) const {
    detail::require(
        warpaes_ctr_crypt(get(), counter.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void cbc_encrypt(Block iv, Input input, Output output) const {
    detail::require(
        warpaes_cbc_encrypt(get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void cbc_decrypt(Block iv, Input input, Output output) const {
    detail::require(
        warpaes_cbc_decrypt(get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void cfb_encrypt(Block iv, Input input, Output output) const {
    detail::require(
        warpaes_cfb_encrypt(get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void cfb_decrypt(Block iv, Input input, Output output) const {
    detail::require(
        warpaes_cfb_decrypt(get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void ofb_crypt(Block iv, Input input, Output output) const {
    detail::require(
        warpaes_ofb_crypt(get(), iv.data(), input.data(), output.data(), detail::common(input, output)));
  }
  void cmac(Input input, Output tag) const {
    detail::require(warpaes_cmac(get(), input.data(), input.size(), tag.data(), tag.size()));
  }
  /// Throws if a message was left alone; batch.statuses says which.
  void cipher_batch(warpaes_mode mode, Direction direction,
                    const warpaes_cipher_batch_arguments& batch) const {
    detail::require(warpaes_cipher_batch(get(), mode, direction, &batch));
  }

  // Device memory, asynchronous on a stream.

  void ecb_encrypt(Input input, Output output, Stream stream) const {
    detail::require(warpaes_ecb_encrypt_device(get(), input.data(), output.data(),
                                               detail::common(input, output), stream));
  }
  void ecb_decrypt(Input input, Output output, Stream stream) const {
    detail::require(warpaes_ecb_decrypt_device(get(), input.data(), output.data(),
                                               detail::common(input, output), stream));
  }
  /// @param counter host memory
  void ctr_crypt(std::span<const uint8_t, 16> counter, Input input, Output output, Stream stream) const {
    detail::require(warpaes_ctr_crypt_device(get(), counter.data(), input.data(), output.data(),
                                             detail::common(input, output), stream));
  }
  /// What decryption of CBC and CFB needs in place.
  size_t chained_decrypt_workspace_bytes(uint64_t bytes) const {
    size_t needed = 0;
    detail::require(warpaes_chained_decrypt_workspace_bytes(get(), bytes, &needed));
    return needed;
  }
  /// @param iv host memory
  void cbc_decrypt(Block iv, Input input, Output output, Output workspace, Stream stream) const {
    detail::require(warpaes_cbc_decrypt_device(get(), iv.data(), input.data(), output.data(),
                                               detail::common(input, output), workspace.data(),
                                               workspace.size(), stream));
  }
  void cfb_decrypt(Block iv, Input input, Output output, Output workspace, Stream stream) const {
    detail::require(warpaes_cfb_decrypt_device(get(), iv.data(), input.data(), output.data(),
                                               detail::common(input, output), workspace.data(),
                                               workspace.size(), stream));
  }
  void cipher_batch(warpaes_mode mode, Direction direction, const warpaes_cipher_batch_arguments& batch,
                    Stream stream) const {
    detail::require(warpaes_cipher_batch_device(get(), mode, direction, &batch, stream));
  }

 private:
  struct Destroy {
    void operator()(warpaes_key* key) const { warpaes_key_destroy(key); }
  };

  std::unique_ptr<warpaes_key, Destroy> handle_;
};

/// A key for each message; `keys` holds them one after another, of `key_bytes` bytes each. Throws as
/// Key::cipher_batch() does.
inline void cipher_batch_key_each(const Context& context, Input keys, size_t key_bytes, warpaes_mode mode,
                                  Direction direction, const warpaes_cipher_batch_arguments& batch) {
  detail::require(warpaes_cipher_batch_key_each(context.get(), keys.data(), key_bytes, key_bytes, mode,
                                                direction, &batch));
}
/// @param keys device memory, as all of the batch
inline void cipher_batch_key_each(const Context& context, Input keys, size_t key_bytes, warpaes_mode mode,
                                  Direction direction, const warpaes_cipher_batch_arguments& batch,
                                  Stream stream) {
  detail::require(warpaes_cipher_batch_key_each_device(context.get(), keys.data(), key_bytes, key_bytes, mode,
                                                       direction, &batch, stream));
}

}  // namespace v0
}  // namespace warpaes
