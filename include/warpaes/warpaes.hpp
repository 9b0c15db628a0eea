// WarpAES for C++20: the C ABI (warpaes.h, which says what each call does) with owners for the handles,
// spans for memory and exceptions for misuse and broken machines. A wrong tag is neither: it is a value
// that has to be looked at.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "warpaes/warpaes.h"

namespace warpaes {
inline namespace v0 {

using Status = warpaes_status;
using Timing = warpaes_timing;
using Direction = warpaes_direction;
using Stream = warpaes_stream;

/// What every call throws that did not do its work. A wrong tag is not thrown.
class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  Status status() const noexcept { return status_; }
  /// "WARPAES_ERROR_OVERLAP"
  const char* name() const noexcept { return warpaes_status_name(status_); }

 private:
  Status status_;
};

/// The answer to "is the message authentic?". If not, the output is zero.
enum class [[nodiscard]] Authenticity { wrong_tag, right };

namespace detail {

inline void require(Status status) {
  if (status != WARPAES_OK) throw Error(status, warpaes_last_error());
}

[[nodiscard]] inline Authenticity authenticity(Status status) {
  if (status == WARPAES_ERROR_AUTHENTICATION) return Authenticity::wrong_tag;
  require(status);
  return Authenticity::right;
}

template <class T>
concept Byte =
    std::same_as<std::remove_const_t<T>, std::byte> || std::same_as<std::remove_const_t<T>, uint8_t>;

}  // namespace detail

/// Bytes to read: made from any contiguous range of std::byte or uint8_t. Not of char, as a string literal
/// would bring its final zero.
class Input {
 public:
  constexpr Input() = default;
  constexpr Input(const void* data, uint64_t bytes) : data_(data), bytes_(bytes) {}
  template <class Range>
    requires detail::Byte<std::ranges::range_value_t<Range>> && std::ranges::contiguous_range<Range> &&
                 std::ranges::sized_range<Range>
  constexpr Input(const Range& range) : data_(std::ranges::data(range)), bytes_(std::ranges::size(range)) {}

  constexpr const void* data() const { return data_; }
  constexpr uint64_t size() const { return bytes_; }

 private:
  const void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

/// Bytes to write: made from a contiguous range that is not const.
class Output {
 public:
  constexpr Output() = default;
  constexpr Output(void* data, uint64_t bytes) : data_(data), bytes_(bytes) {}
  template <class Range>
    requires detail::Byte<std::ranges::range_value_t<Range>> && std::ranges::contiguous_range<Range> &&
                 std::ranges::sized_range<Range> &&
                 (!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>)
  constexpr Output(Range&& range) : data_(std::ranges::data(range)), bytes_(std::ranges::size(range)) {}

  constexpr void* data() const { return data_; }
  constexpr uint64_t size() const { return bytes_; }

 private:
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

/// 16 bytes: an initialisation vector, or XTS' tweak.
using Block = std::span<const uint8_t, 16>;

namespace detail {

inline uint64_t common(Input input, Output output) {
  if (input.size() != output.size()) {
    throw Error(WARPAES_ERROR_LENGTH, "input and output differ in length: " + std::to_string(input.size()) +
                                          " and " + std::to_string(output.size()));
  }
  return input.size();
}

}  // namespace detail

struct Options {
  std::string engine = "auto";
  int device = 0;
  Timing timing = WARPAES_TIMING_LEAKY;
  unsigned threads = 0;
};

class Context {
 public:
  explicit Context(const Options& options = {}) {
    warpaes_context_options plain = {};
    plain.size = sizeof plain;
    plain.engine = options.engine.c_str();
    plain.device = options.device;
    plain.timing = options.timing;
    plain.threads = options.threads;
    warpaes_context* made = nullptr;
    detail::require(warpaes_context_create(&plain, &made));
    handle_.reset(made);
  }

  /// Name of the engine that host calls of `bytes` bytes go to.
  std::string_view engine(uint64_t bytes) const { return warpaes_context_engine(handle_.get(), bytes); }
  warpaes_context* get() const { return handle_.get(); }

  /// A key for each message; `keys` holds them one after another, of `key_bytes` bytes each.
  Authenticity gcm_batch_key_each(Input keys, size_t key_bytes, Direction direction,
                                  const warpaes_gcm_batch_arguments& batch) const {
    return detail::authenticity(
        warpaes_gcm_batch_key_each(get(), keys.data(), key_bytes, key_bytes, direction, &batch));
  }
  /// @param keys device memory, as all of the batch
  void gcm_batch_key_each(Input keys, size_t key_bytes, Direction direction,
                          const warpaes_gcm_batch_arguments& batch, Stream stream) const {
    detail::require(warpaes_gcm_batch_key_each_device(get(), keys.data(), key_bytes, key_bytes, direction,
                                                      &batch, stream));
  }

 private:
  struct Destroy {
    void operator()(warpaes_context* context) const { warpaes_context_destroy(context); }
  };
  std::unique_ptr<warpaes_context, Destroy> handle_;
};

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
  void gcm_encrypt(Input nonce, Input aad, Input input, Output output, Output tag) const {
    detail::require(warpaes_gcm_encrypt(get(), nonce.data(), nonce.size(), aad.data(), aad.size(),
                                        input.data(), output.data(), detail::common(input, output),
                                        tag.data(), tag.size()));
  }
  Authenticity gcm_decrypt(Input nonce, Input aad, Input input, Output output, Input tag) const {
    return detail::authenticity(warpaes_gcm_decrypt(get(), nonce.data(), nonce.size(), aad.data(), aad.size(),
                                                    input.data(), output.data(),
                                                    detail::common(input, output), tag.data(), tag.size()));
  }
  /// @return wrong_tag if at least one message has it; batch.statuses says which
  Authenticity gcm_batch(Direction direction, const warpaes_gcm_batch_arguments& batch) const {
    return detail::authenticity(warpaes_gcm_batch(get(), direction, &batch));
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
  size_t gcm_workspace_bytes(uint64_t messages, uint64_t bytes) const {
    size_t needed = 0;
    detail::require(warpaes_gcm_workspace_bytes(get(), messages, bytes, &needed));
    return needed;
  }
  /// @param nonce host memory
  void gcm_encrypt(Input nonce, Input aad, Input input, Output output, Output tag, Output workspace,
                   Stream stream) const {
    detail::require(warpaes_gcm_encrypt_device(
        get(), nonce.data(), nonce.size(), aad.data(), aad.size(), input.data(), output.data(),
        detail::common(input, output), tag.data(), tag.size(), workspace.data(), workspace.size(), stream));
  }
  /// @param nonce host memory
  /// @param status device memory; says WARPAES_OK or WARPAES_ERROR_AUTHENTICATION when the stream has come
  ///        past this call
  void gcm_decrypt(Input nonce, Input aad, Input input, Output output, Input tag, int32_t* status,
                   Output workspace, Stream stream) const {
    detail::require(warpaes_gcm_decrypt_device(get(), nonce.data(), nonce.size(), aad.data(), aad.size(),
                                               input.data(), output.data(), detail::common(input, output),
                                               tag.data(), tag.size(), status, workspace.data(),
                                               workspace.size(), stream));
  }
  void gcm_batch(Direction direction, const warpaes_gcm_batch_arguments& batch, Output workspace,
                 Stream stream) const {
    detail::require(
        warpaes_gcm_batch_device(get(), direction, &batch, workspace.data(), workspace.size(), stream));
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

/// XTS with both of its keys, which must outlive it.
class Xts {
 public:
  Xts(const Key& key, const Key& tweak_key) : key_(key), tweak_key_(tweak_key) {}

  void encrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output) const {
    detail::require(warpaes_xts_encrypt(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                        input.data(), output.data(), detail::common(input, output)));
  }
  void decrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output) const {
    detail::require(warpaes_xts_decrypt(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                        input.data(), output.data(), detail::common(input, output)));
  }

  // Device memory, asynchronous on a stream; the tweak is in host memory.

  void encrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output, Stream stream) const {
    detail::require(warpaes_xts_encrypt_device(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                               input.data(), output.data(), detail::common(input, output),
                                               stream));
  }
  void decrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output, Stream stream) const {
    detail::require(warpaes_xts_decrypt_device(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                               input.data(), output.data(), detail::common(input, output),
                                               stream));
  }

 private:
  const Key& key_;
  const Key& tweak_key_;
};

/// All engines, best first, each after its self-test.
inline std::vector<warpaes_engine_info> engines() {
  std::vector<warpaes_engine_info> all(warpaes_engine_count());
  for (size_t i = 0; i < all.size(); i++) detail::require(warpaes_engine_get(i, &all[i]));
  return all;
}

/// All CUDA devices; none without a driver.
inline std::vector<warpaes_device_info> devices() {
  std::vector<warpaes_device_info> all(static_cast<size_t>(warpaes_device_count()));
  for (size_t i = 0; i < all.size(); i++) detail::require(warpaes_device_get(static_cast<int>(i), &all[i]));
  return all;
}

}  // namespace v0
}  // namespace warpaes

#include "warpaes/block_modes.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/operation.hpp"
