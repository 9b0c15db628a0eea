// A message that comes in parts for C++20: operation.h, which says what each call does. A part of
// warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/operation.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <memory>
#include <utility>

#include "warpaes/cipher.hpp"
#include "warpaes/operation.h"

namespace warpaes {
inline namespace v0 {

/// What has to be known of a message before its first part. Leave members that the mode has no use for as
/// they are.
struct OperationOptions {
  Direction direction = Direction::encrypt;  ///< of the whole message
  Input nonce = {};                          ///< nonce, IV, first counter block or tweak
  Input aad = {};                            ///< additional data, all of it
  size_t tag_length = 0;                     ///< 0: as the mode recommends
  uint64_t data_unit = 0;                    ///< XTS needs one
};

/// For one thread at a time. It keeps its cipher alive.
class Operation {
 public:
  /// Begins a message.
  Operation(const Cipher& cipher, const OperationOptions& options)
      : Operation(cipher, options, detail::plain(options.direction)) {}

  /// Decrypts GCM, EAX or OCB3 in parts, which are not to be used before verify() says that they are genuine:
  /// WARPAES_DIRECTION_DECRYPT_UNVERIFIED. The direction of the options does not matter.
  static Operation unverified(const Cipher& cipher, const OperationOptions& options) {
    return {cipher, options, WARPAES_DIRECTION_DECRYPT_UNVERIFIED};
  }

  /// What update() would write for `length` more bytes, exactly.
  uint64_t update_size(uint64_t length) const {
    uint64_t size = 0;
    detail::require(warpaes_operation_size(get(), length, &size, nullptr));
    return size;
  }
  /// The most that finish() would write now: to be asked behind the last part.
  uint64_t finish_size() const {
    uint64_t size = 0;
    detail::require(warpaes_operation_size(get(), 0, nullptr, &size));
    return size;
  }

  /// @param output begins where the input does, or lies apart from it
  /// @return the length of what was written
  uint64_t update(Input input, Output output) {
    uint64_t length = 0;
    detail::require(
        warpaes_operation_update(get(), input.data(), input.size(), output.data(), output.size(), &length));
    return length;
  }
  /// @return the length of what was written, or WARPAES_ERROR_PADDING
  Verdict finish(Output output) {
    uint64_t length = 0;
    const Status status = warpaes_operation_finish(get(), output.data(), output.size(), &length);
    return detail::verdict(status, length);
  }
  /// Ends an unverified operation. @return the length of what was written, or WARPAES_ERROR_AUTHENTICATION
  Verdict verify(Input tag, Output output) {
    uint64_t length = 0;
    const Status status =
        warpaes_operation_verify(get(), tag.data(), tag.size(), output.data(), output.size(), &length);
    return detail::verdict(status, length);
  }
  /// A second operation of CMAC that has taken the same parts, and goes on by itself.
  Operation copy() const {
    warpaes_operation* made = nullptr;
    detail::require(warpaes_operation_copy(get(), &made));
    return Operation(Handle(made, handle_.get_deleter()));
  }
  /// CTR: the next part begins with byte number `offset` of the message, counted from 0.
  void seek(uint64_t offset) { detail::require(warpaes_operation_seek(get(), offset)); }

  /// For calls of the C interface.
  warpaes_operation* get() const { return handle_.get(); }

 private:
  struct Destroy {
    std::shared_ptr<warpaes_cipher> cipher;
    void operator()(warpaes_operation* operation) const { warpaes_operation_destroy(operation); }
  };
  using Handle = std::unique_ptr<warpaes_operation, Destroy>;

  Operation(const Cipher& cipher, const OperationOptions& options, warpaes_direction direction) {
    warpaes_message message = {};
    message.size = sizeof message;
    message.nonce = options.nonce.data();
    message.nonce_length = static_cast<size_t>(options.nonce.size());
    message.aad = options.aad.data();
    message.aad_length = options.aad.size();
    message.tag_length = options.tag_length;
    message.data_unit = options.data_unit;
    warpaes_operation* made = nullptr;
    detail::require(warpaes_operation_create(cipher.get(), direction, &message, &made));
    handle_ = {made, Destroy{cipher.handle()}};
  }

  explicit Operation(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace v0
}  // namespace warpaes

#endif
