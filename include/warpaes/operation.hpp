// Messages in parts for C++20: operation.h, which says what each call does. A part of warpaes.hpp, which
// includes it.
#pragma once

#include "warpaes/key.hpp"
#include "warpaes/operation.h"

namespace warpaes {
inline namespace v0 {

using Mode = warpaes_mode;

/// What a mode has no use for stays as it is here.
struct OperationOptions {
  Mode mode;
  Direction direction = WARPAES_ENCRYPT;
  Input iv = {};
  const Key* tweak_key = nullptr;
  uint64_t data_unit_bytes = 0;
  size_t tag_bytes = 0;
  Input aad = {};
};

/// For one thread at a time; its keys must outlive it.
class Operation {
 public:
  Operation(const Key& key, const OperationOptions& options) {
    const warpaes_operation_options plain = {
        .size = sizeof plain,
        .mode = options.mode,
        .direction = options.direction,
        .iv = options.iv.data(),
        .iv_bytes = static_cast<size_t>(options.iv.size()),
        .tweak_key = options.tweak_key == nullptr ? nullptr : options.tweak_key->get(),
        .data_unit_bytes = options.data_unit_bytes,
        .tag_bytes = options.tag_bytes,
        .aad = options.aad.data(),
        .aad_bytes = options.aad.size(),
        .reserved = {},
    };
    warpaes_operation* made = nullptr;
    detail::require(warpaes_operation_create(key.get(), &plain, &made));
    handle_.reset(made);
  }

  /// Bytes that update() of `bytes` bytes would write, exactly.
  uint64_t update_bytes(uint64_t bytes) const {
    uint64_t written = 0;
    detail::require(warpaes_operation_update_bytes(get(), bytes, &written));
    return written;
  }
  /// The most that finish() would write.
  uint64_t finish_bytes() const {
    uint64_t written = 0;
    detail::require(warpaes_operation_finish_bytes(get(), &written));
    return written;
  }

  /// @param output at the input, or apart from it; as long as update_bytes() says, or longer
  /// @return bytes written
  uint64_t update(Input input, Output output) {
    uint64_t written = 0;
    detail::require(
        warpaes_operation_update(get(), input.data(), input.size(), output.data(), output.size(), &written));
    return written;
  }
  uint64_t finish(Output output) {
    uint64_t written = 0;
    detail::require(warpaes_operation_finish(get(), output.data(), output.size(), &written));
    return written;
  }
  /// CTR: the next part begins with that byte of the message.
  void seek(uint64_t offset) { detail::require(warpaes_operation_seek(get(), offset)); }

  warpaes_operation* get() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(warpaes_operation* operation) const { warpaes_operation_destroy(operation); }
  };
  std::unique_ptr<warpaes_operation, Destroy> handle_;
};

}  // namespace v0
}  // namespace warpaes
