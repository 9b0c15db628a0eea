// Keys with their mode for C++20: cipher.h, which says what each call does. A part of warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/cipher.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <memory>
#include <string_view>

#include "warpaes/cipher.h"
#include "warpaes/context.hpp"
#include "warpaes/message.hpp"

namespace warpaes {
inline namespace v0 {

/// A key that belongs to one mode. Copies are the same cipher, and threads may share it. It keeps its context
/// alive, and the key is wiped with the last copy and the last operation.
class Cipher {
 public:
  /// @param key in XTS and SIV both keys, one behind the other. One without bytes throws KEY_LENGTH.
  Cipher(const Context& context, Mode mode, Input key) : mode_(mode) {
    if (key.size() == 0) throw Error(WARPAES_ERROR_KEY_LENGTH, "the key has no bytes");
    make(context, key);
  }
  /// For batches whose messages each bring a key: Batch::keys.
  Cipher(const Context& context, Mode mode) : mode_(mode) { make(context, Input()); }

  // Host memory, synchronous.

  /// @return the length of the output
  uint64_t encrypt(const Message& message) const {
    uint64_t length = 0;
    const warpaes_message plain = with_length(message, length);
    detail::require(warpaes_encrypt(get(), &plain));
    return *plain.output_length;
  }
  /// @return whether the message is right; if not, its output is zero
  Verdict decrypt(const ReceivedMessage& message) const {
    uint64_t length = 0;
    const warpaes_message plain = with_length(message, length);
    const Status status = warpaes_decrypt(get(), &plain);
    return detail::verdict(status, *plain.output_length);
  }
  /// Throws if a message of the batch could not be encrypted: batch.statuses tells which.
  void encrypt_batch(const Batch& batch) const {
    const warpaes_batch plain = checked(batch, Direction::encrypt, true);
    detail::require(warpaes_encrypt_batch(get(), &plain));
  }
  /// @return whether all messages are right: batch.statuses tells of each
  Verdict decrypt_batch(const ReceivedBatch& batch) const {
    const warpaes_batch plain = checked(batch, Direction::decrypt, true);
    return detail::verdict(warpaes_decrypt_batch(get(), &plain), 0);
  }

  // Device memory, asynchronous on a stream. What decryption finds is in the statuses of the message or
  // batch, once the stream has come past the call.

  /// The length of the workspace for `count` messages of at most `length` bytes.
  size_t workspace_size(Direction direction, uint64_t count, uint64_t length) const {
    size_t size = 0;
    detail::require(warpaes_workspace_size(get(), detail::plain(direction), count, length, &size));
    return size;
  }
  /// @name On the device
  /// They return when the work is on the stream. The workspace has workspace_size() bytes of device memory,
  /// and the next call on the same stream may use it again.
  /// @{
  void encrypt_device(const Message& message, Output workspace, Stream stream) const {
    const warpaes_message plain = detail::plain(message);
    detail::require(warpaes_encrypt_device(get(), &plain, workspace.data(),
                                           static_cast<size_t>(workspace.size()), stream));
  }
  void decrypt_device(const ReceivedMessage& message, Output workspace, Stream stream) const {
    const warpaes_message plain = detail::plain(message);
    detail::require(warpaes_decrypt_device(get(), &plain, workspace.data(),
                                           static_cast<size_t>(workspace.size()), stream));
  }
  void encrypt_batch_device(const Batch& batch, Output workspace, Stream stream) const {
    const warpaes_batch plain = checked(batch, Direction::encrypt, false);
    detail::require(warpaes_encrypt_batch_device(get(), &plain, workspace.data(),
                                                 static_cast<size_t>(workspace.size()), stream));
  }
  void decrypt_batch_device(const ReceivedBatch& batch, Output workspace, Stream stream) const {
    const warpaes_batch plain = checked(batch, Direction::decrypt, false);
    detail::require(warpaes_decrypt_batch_device(get(), &plain, workspace.data(),
                                                 static_cast<size_t>(workspace.size()), stream));
  }
  /// @}

  // Sealed messages: nonce, ciphertext and tag in one piece, with a random nonce that is made here.

  /// @param sealed room for sealed_size(mode(), input.size()) bytes
  /// @return the length of the sealed message
  uint64_t seal(Input aad, Input input, Output sealed) {
    uint64_t length = 0;
    detail::require(warpaes_seal(get(), aad, input, sealed.data(), sealed.size(), &length));
    return length;
  }
  /// @param output room for the plaintext; all zero if the sealed message is not genuine
  Verdict open(Input aad, Input sealed, Output output) const {
    uint64_t length = 0;
    const Status status = warpaes_open(get(), aad, sealed, output.data(), output.size(), &length);
    return detail::verdict(status, length);
  }
  /// Counts messages that were sealed under this key elsewhere.
  /// @return all messages sealed under it that are known of, at most 2^32
  uint64_t add_nonces(uint64_t messages) {
    uint64_t total = 0;
    detail::require(warpaes_cipher_add_nonces(get(), messages, &total));
    return total;
  }

  /// The mode that the key belongs to.
  Mode mode() const { return mode_; }

  /// The implementation that a message of `length` bytes of host memory goes to: "cuda/lane_private_tables".
  std::string_view engine(Direction direction, uint64_t length) const {
    warpaes_cipher_info info = {};
    info.size = sizeof info;
    info.direction = detail::plain(direction);
    info.length = length;
    detail::require(warpaes_cipher_get(get(), &info));
    return info.engine;
  }

  /// For calls of the C interface.
  warpaes_cipher* get() const { return handle_.get(); }
  /// For what has to keep the cipher alive.
  const std::shared_ptr<warpaes_cipher>& handle() const { return handle_; }

 private:
  struct Destroy {
    std::shared_ptr<warpaes_context> context;
    void operator()(warpaes_cipher* cipher) const { warpaes_cipher_destroy(cipher); }
  };

  void make(const Context& context, Input key) {
    warpaes_cipher* made = nullptr;
    detail::require(warpaes_cipher_create(context.get(), detail::plain(mode_), key.data(),
                                          static_cast<size_t>(key.size()), &made));
    handle_.reset(made, Destroy{context.handle()});
  }

  /// @param length written by the call, unless the message says where its length goes
  template <class Tag>
  static warpaes_message with_length(const BasicMessage<Tag>& message, uint64_t& length) {
    warpaes_message plain = detail::plain(message);
    if (plain.output_length == nullptr) plain.output_length = &length;
    return plain;
  }
  template <class Tags>
  warpaes_batch checked(const BasicBatch<Tags>& batch, Direction direction, bool host_memory) const {
    detail::require_memory(batch, {mode_, direction, host_memory});
    return detail::plain(batch);
  }

  std::shared_ptr<warpaes_cipher> handle_;
  Mode mode_;
};

}  // namespace v0
}  // namespace warpaes

#endif
