// A key, and the modes that need nothing else, for C++20: context.h, cipher_modes.h and chained_batch.h. A
// part of warpaes.hpp.
#pragma once

#include <memory>
#include <span>

#include "warpaes/chained_batch.h"
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
  // Batches of the chained modes throw if a message was left alone; batch.statuses says which.
  void cbc_encrypt_batch(const warpaes_chained_batch_arguments& batch) const {
    detail::require(warpaes_cbc_encrypt_batch(get(), &batch));
  }
  void cfb_encrypt_batch(const warpaes_chained_batch_arguments& batch) const {
    detail::require(warpaes_cfb_encrypt_batch(get(), &batch));
  }
  void ofb_crypt_batch(const warpaes_chained_batch_arguments& batch) const {
    detail::require(warpaes_ofb_crypt_batch(get(), &batch));
  }
  void cmac_batch(const warpaes_chained_batch_arguments& batch) const {
    detail::require(warpaes_cmac_batch(get(), &batch));
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
  void cbc_encrypt_batch(const warpaes_chained_batch_arguments& batch, Stream stream) const {
    detail::require(warpaes_cbc_encrypt_batch_device(get(), &batch, stream));
  }
  void cfb_encrypt_batch(const warpaes_chained_batch_arguments& batch, Stream stream) const {
    detail::require(warpaes_cfb_encrypt_batch_device(get(), &batch, stream));
  }
  void ofb_crypt_batch(const warpaes_chained_batch_arguments& batch, Stream stream) const {
    detail::require(warpaes_ofb_crypt_batch_device(get(), &batch, stream));
  }
  void cmac_batch(const warpaes_chained_batch_arguments& batch, Stream stream) const {
    detail::require(warpaes_cmac_batch_device(get(), &batch, stream));
  }

 private:
  struct Destroy {
    void operator()(warpaes_key* key) const { warpaes_key_destroy(key); }
  };

  std::unique_ptr<warpaes_key, Destroy> handle_;
};

}  // namespace v0
}  // namespace warpaes
