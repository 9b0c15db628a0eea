// What the C++ wrapper is made of: errors, verdicts, and memory to read and to write. A part of warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/memory.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "warpaes/cipher.h"

/// Clang warns where a view of a temporary object is kept.
#if defined(__clang__)
#define WARPAES_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define WARPAES_LIFETIMEBOUND
#endif

namespace warpaes {
inline namespace v0 {

/// A number of status.h, such as WARPAES_OK.
using Status = warpaes_status;
/// A cudaStream_t or CUstream; null is the default stream.
using Stream = warpaes_stream;

/// Thrown by every call that could not do its work: because of its arguments, the machine or the device. What
/// decryption finds out about a message is not thrown, see Verdict.
class Error : public std::runtime_error {
 public:
  /// @param message the whole sentence, for what()
  Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  /// What went wrong, as a number of status.h.
  Status status() const noexcept { return status_; }
  /// "WARPAES_ERROR_OVERLAP"
  const char* name() const noexcept { return warpaes_status_name(status_); }

 private:
  Status status_;
};

/// What decryption found: whether the message is genuine, or at least has a right padding in a mode that
/// authenticates nothing. If not, the output is all zero. The compiler warns if nobody looks at it.
class [[nodiscard]] Verdict {
 public:
  /// @param length of the output, if the status is WARPAES_OK
  Verdict(Status status, uint64_t length) : status_(status), length_(length) {}

  /// Is the message right?
  explicit operator bool() const noexcept { return status_ == WARPAES_OK; }
  /// WARPAES_OK, WARPAES_ERROR_AUTHENTICATION or WARPAES_ERROR_PADDING. Of a batch: WARPAES_OK or
  /// WARPAES_ERROR_BATCH, and the batch's statuses tell what became of each message.
  Status status() const noexcept { return status_; }
  /// The length of the output without padding; 0 of a batch. Throws if the message is not right.
  uint64_t length() const {
    if (status_ != WARPAES_OK) throw Error(status_, warpaes_status_string(status_));
    return length_;
  }

 private:
  Status status_;
  uint64_t length_;
};

namespace detail {

inline void require(Status status) {
  if (status != WARPAES_OK) throw Error(status, warpaes_last_error());
}

inline Verdict verdict(Status status, uint64_t length) {
  const bool about_the_data = status == WARPAES_ERROR_AUTHENTICATION || status == WARPAES_ERROR_PADDING ||
                              status == WARPAES_ERROR_BATCH;
  if (!about_the_data) require(status);
  return {status, length};
}

template <class T>
concept Byte = std::same_as<std::remove_const_t<T>, std::byte> ||
               std::same_as<std::remove_const_t<T>, uint8_t> || std::same_as<std::remove_const_t<T>, char>;

/// Ranges that memory can be taken from. Arrays of char are left out, because a string literal would bring
/// its final zero along.
template <class Range>
concept Bytes = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                Byte<std::remove_reference_t<std::ranges::range_reference_t<Range>>> &&
                !(std::is_array_v<std::remove_reference_t<Range>> &&
                  std::same_as<std::ranges::range_value_t<Range>, char>);

template <class Range>
concept WritableBytes =
    Bytes<Range> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// Null for an empty range, whatever it has reserved.
template <class Range>
constexpr auto* data_of(Range& range) {
  return std::ranges::empty(range) ? nullptr : std::ranges::data(range);
}

}  // namespace detail

/// Memory to read, which it does not own: made from any contiguous range of uint8_t, std::byte or char, or
/// from a pointer into device memory with a length. An empty range, such as a std::string without characters,
/// is the same as nothing at all.
class Input {
 public:
  constexpr Input() = default;  ///< nothing
  /// @param data host or device memory of `length` bytes, which has to outlive this view
  constexpr Input(const void* data, uint64_t length) : data_(data), length_(length) {}
  /// The bytes of a range in host memory, which has to outlive this view.
  template <detail::Bytes Range>
  constexpr Input(const Range& range WARPAES_LIFETIMEBOUND)
      : Input(detail::data_of(range), std::ranges::size(range)) {}
  /// The bytes that another view shows, such as a std::span: they have to outlive this one.
  template <detail::Bytes Range>
    requires std::ranges::borrowed_range<Range>
  constexpr Input(const Range& range) : Input(detail::data_of(range), std::ranges::size(range)) {}

  constexpr const void* data() const { return data_; }  ///< null for nothing
  constexpr uint64_t size() const { return length_; }   ///< bytes
  /// The same as an entry of Message::strings.
  constexpr operator warpaes_bytes() const { return {data_, length_}; }

 private:
  const void* data_ = nullptr;
  uint64_t length_ = 0;
};

/// Memory to write, which it does not own. Containers have to be objects with a name: what is written into a
/// temporary one would be lost. An empty range is the same as nothing at all, whatever it has reserved.
class Output {
 public:
  constexpr Output() = default;  ///< nothing
  /// @param data host or device memory of `length` bytes, which has to outlive this view
  constexpr Output(void* data, uint64_t length) : data_(data), length_(length) {}
  /// The bytes of a range in host memory, which has to outlive this view.
  template <detail::WritableBytes Range>
    requires std::ranges::borrowed_range<Range>
  constexpr Output(Range&& range WARPAES_LIFETIMEBOUND)
      : Output(detail::data_of(range), std::ranges::size(range)) {}
  /// The bytes that another view shows, such as a std::span: they have to outlive this one.
  template <detail::WritableBytes Range>
    requires std::ranges::borrowed_range<Range> && std::ranges::borrowed_range<std::remove_cvref_t<Range>>
  constexpr Output(Range&& range) : Output(detail::data_of(range), std::ranges::size(range)) {}

  constexpr void* data() const { return data_; }       ///< null for nothing
  constexpr uint64_t size() const { return length_; }  ///< bytes
  /// The same memory to read.
  constexpr operator Input() const { return {data_, length_}; }

 private:
  void* data_ = nullptr;
  uint64_t length_ = 0;
};

/// Where a batch has one part of every message (warpaes_source, warpaes_target): that of message m at memory
/// + m * stride, or at pointers[m]. With stride 0 all messages share one part.
template <class Memory, class Pointer>
class Rows {
 public:
  constexpr Rows() = default;  ///< nothing
  /// @param stride bytes from the part of one message to that of the next
  constexpr Rows(Memory memory, uint64_t stride) : memory_(memory), stride_(stride) {}
  /// @param pointers one for each message; device memory in device calls
  constexpr Rows(std::span<const Pointer> pointers) : pointers_(pointers) {}

  constexpr const Memory& memory() const { return memory_; }                 ///< of all rows
  constexpr uint64_t stride() const { return stride_; }                      ///< bytes
  constexpr std::span<const Pointer> pointers() const { return pointers_; }  ///< empty: rows have a stride

 private:
  Memory memory_;
  uint64_t stride_ = 0;
  std::span<const Pointer> pointers_;
};
/// Rows that are read.
using Source = Rows<Input, const void*>;
/// Rows that are written.
using Target = Rows<Output, void*>;

}  // namespace v0
}  // namespace warpaes

#endif
