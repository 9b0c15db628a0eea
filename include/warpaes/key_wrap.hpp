// Keys wrapped by keys for C++20: key_wrap.h, which says what each call does. A part of warpaes.hpp, which
// includes it.
#pragma once

#include "warpaes/key.hpp"
#include "warpaes/key_wrap.h"

namespace warpaes {
inline namespace v0 {

namespace detail {

inline void require_room(Output output, uint64_t bytes) {
  if (output.size() == bytes) return;
  throw Error(WARPAES_ERROR_BUFFER_SIZE, "the output must have " + std::to_string(bytes) + " bytes, not " +
                                             std::to_string(output.size()));
}

}  // namespace detail

/// @param output 8 bytes longer
inline void kw_wrap(const Key& key, Input input, Output output) {
  detail::require_room(output, input.size() + 8);
  detail::require(warpaes_kw_wrap(key.get(), input.data(), output.data(), input.size()));
}
/// @param output 8 bytes shorter; zero if the result is wrong_tag
inline Authenticity kw_unwrap(const Key& key, Input input, Output output) {
  detail::require_room(output, input.size() - 8);
  return detail::authenticity(warpaes_kw_unwrap(key.get(), input.data(), output.data(), input.size()));
}

/// @param output the next multiple of 8, and 8 more
inline void kwp_wrap(const Key& key, Input input, Output output) {
  detail::require_room(output, (input.size() + 7) / 8 * 8 + 8);
  detail::require(warpaes_kwp_wrap(key.get(), input.data(), output.data(), input.size()));
}
/// @param output 8 bytes shorter than the input; zero if the result is wrong_tag
/// @param message_bytes how many of them are the message
inline Authenticity kwp_unwrap(const Key& key, Input input, Output output, uint64_t& message_bytes) {
  detail::require_room(output, input.size() - 8);
  return detail::authenticity(
      warpaes_kwp_unwrap(key.get(), input.data(), output.data(), input.size(), &message_bytes));
}

}  // namespace v0
}  // namespace warpaes
