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

using Wrapping = warpaes_wrapping;

/// Many keys wrapped by one.
/// @return wrong_tag if at least one message has it; batch.statuses says which. Throws if another was left
///         alone.
inline Authenticity key_wrap_batch(const Key& key, Wrapping mode, Direction direction,
                                   const warpaes_key_wrap_batch_arguments& batch) {
  return detail::authenticity(warpaes_key_wrap_batch(key.get(), mode, direction, &batch));
}
/// Device memory, asynchronous on a stream: batch.statuses says which messages are authentic.
inline void key_wrap_batch(const Key& key, Wrapping mode, Direction direction,
                           const warpaes_key_wrap_batch_arguments& batch, Stream stream) {
  detail::require(warpaes_key_wrap_batch_device(key.get(), mode, direction, &batch, stream));
}

/// A key-encryption key for each message; `keys` holds them one after another, of `key_bytes` bytes each.
inline Authenticity key_wrap_batch_key_each(const Context& context, Input keys, size_t key_bytes,
                                            Wrapping mode, Direction direction,
                                            const warpaes_key_wrap_batch_arguments& batch) {
  return detail::authenticity(warpaes_key_wrap_batch_key_each(context.get(), keys.data(), key_bytes,
                                                              key_bytes, mode, direction, &batch));
}
/// @param keys device memory, as all of the batch
inline void key_wrap_batch_key_each(const Context& context, Input keys, size_t key_bytes, Wrapping mode,
                                    Direction direction, const warpaes_key_wrap_batch_arguments& batch,
                                    Stream stream) {
  detail::require(warpaes_key_wrap_batch_key_each_device(context.get(), keys.data(), key_bytes, key_bytes,
                                                         mode, direction, &batch, stream));
}

}  // namespace v0
}  // namespace warpaes
