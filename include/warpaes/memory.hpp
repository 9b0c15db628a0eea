// What the C++ face is made of: errors, and bytes to read and to write. A part of warpaes.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "warpaes/status.h"

namespace warpaes {
inline namespace v0 {

using Status = warpaes_status;
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

}  // namespace v0
}  // namespace warpaes
