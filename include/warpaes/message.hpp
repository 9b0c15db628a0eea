// One message and many for C++20: warpaes_message and warpaes_batch, in cipher.h. A part of warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/message.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <optional>
#include <span>

#include "warpaes/memory.hpp"
#include "warpaes/mode.hpp"

namespace warpaes {
inline namespace v0 {

/// One message. Name what the mode needs, in this order:
///   cipher.encrypt({.input = plaintext, .output = ciphertext, .nonce = nonce, .tag = tag});
/// Lengths are those of the memory; the output may be longer than the mode needs.
template <class Tag>
struct BasicMessage {
  Input input = {};                   ///< plaintext when encrypting, ciphertext when decrypting
  Output output = {};                 ///< none in CMAC and GMAC
  uint64_t* output_length = nullptr;  ///< null, or written: the output's length. Device calls: device memory
  Input nonce = {};                   ///< nonce, IV, first counter block or tweak: host memory in all calls
  Input aad = {};                     ///< additional data: authenticated, not encrypted
  Tag tag = {};                       ///< written when encrypting, read when decrypting
  /// SIV: the associated strings, in place of `aad`. If there are none of them, that is no string at all;
  /// without this member, `aad` is the one string, even if it is empty.
  std::optional<std::span<const warpaes_bytes>> strings = {};
  uint64_t data_unit = 0;     ///< XTS: the length of a data unit; 0: there is only one
  uint32_t unused_bits = 0;   ///< CFB1: of the last byte
  int32_t* status = nullptr;  ///< device calls that decrypt: device memory, or page-locked host memory
};
/// A message to encrypt: its tag is written.
using Message = BasicMessage<Output>;
/// A message to decrypt: its tag is read.
using ReceivedMessage = BasicMessage<Input>;

/// Many messages: what warpaes_batch says of each member holds here. Memory whose size is known here is
/// checked to be large enough for all messages, except where they lie in device memory and their lengths
/// differ.
template <class Tags>
struct BasicBatch {
  uint64_t count = 0;                          ///< of the messages
  Source input = {};                           ///< plaintext when encrypting, ciphertext when decrypting
  uint64_t length = 0;                         ///< of every input; with `lengths`, the most that one may have
  std::span<const uint64_t> lengths = {};      ///< none, or the length of each input
  Target output = {};                          ///< none in CMAC and GMAC
  uint64_t output_capacity = 0;                ///< room for each output; 0: exactly what is needed
  std::span<uint64_t> output_lengths = {};     ///< none, or written: the length of each output
  Source nonces = {};                          ///< one for each message
  size_t nonce_length = 0;                     ///< 0: as the mode recommends
  Source aad = {};                             ///< additional data: authenticated, not encrypted
  uint64_t aad_length = 0;                     ///< of all; with `aad_lengths`, the most that one may have
  std::span<const uint64_t> aad_lengths = {};  ///< none, or the length of each
  size_t aad_strings = 0;                      ///< SIV: strings of each message; 0 counts as 1
  Tags tags = {};                              ///< written when encrypting, read when decrypting
  size_t tag_length = 0;                       ///< 0: as the mode recommends
  Source keys = {};                            ///< a key for each message, for ciphers made without one
  size_t key_length = 0;                       ///< of each of the keys
  std::span<int32_t> statuses = {};            ///< none, or written: what became of each message
};
/// Messages to encrypt: their tags are written.
using Batch = BasicBatch<Target>;
/// Messages to decrypt: their tags are read.
using ReceivedBatch = BasicBatch<Source>;

namespace detail {

/// Stands for an array of no strings, which in C is told by its address from none that is given.
inline constexpr warpaes_bytes no_string = {};

/// Inlined into a program that is built with sanitizers, g++ takes what `strings` has for uninitialized.
template <class Tag>
[[gnu::noinline]] warpaes_message plain(const BasicMessage<Tag>& message) {
  warpaes_message plain = {};
  plain.size = sizeof plain;
  plain.input = message.input.data();
  plain.length = message.input.size();
  plain.output = message.output.data();
  plain.output_capacity = message.output.size();
  plain.output_length = message.output_length;
  plain.nonce = message.nonce.data();
  plain.nonce_length = static_cast<size_t>(message.nonce.size());
  plain.aad = message.aad.data();
  plain.aad_length = message.aad.size();
  // A length of 0 would stand for 16 bytes, which memory of no bytes does not have. Decryption only reads it.
  if (message.tag.size() != 0) plain.tag = const_cast<void*>(static_cast<const void*>(message.tag.data()));
  plain.tag_length = static_cast<size_t>(message.tag.size());
  if (message.strings) {
    plain.strings = message.strings->empty() ? &no_string : message.strings->data();
    plain.string_count = message.strings->size();
  }
  plain.data_unit = message.data_unit;
  plain.unused_bits = message.unused_bits;
  plain.status = message.status;
  return plain;
}

/// Null for an empty array, whatever it has reserved.
template <class T>
T* entries_of(std::span<T> array) {
  return array.empty() ? nullptr : array.data();
}

inline warpaes_source plain(const Source& rows) {
  return {rows.memory().data(), rows.stride(), entries_of(rows.pointers())};
}
inline warpaes_target plain(const Target& rows) {
  return {rows.memory().data(), rows.stride(), entries_of(rows.pointers())};
}
inline warpaes_target to_read(const Target& rows) { return plain(rows); }
inline warpaes_target to_read(const Source& rows) {
  return {const_cast<void*>(rows.memory().data()), rows.stride(),
          const_cast<void* const*>(entries_of(rows.pointers()))};
}

template <class Tags>
warpaes_batch plain(const BasicBatch<Tags>& batch) {
  warpaes_batch plain = {};
  plain.size = sizeof plain;
  plain.count = batch.count;
  plain.input = detail::plain(batch.input);
  plain.length = batch.length;
  plain.lengths = entries_of(batch.lengths);
  plain.output = detail::plain(batch.output);
  plain.output_capacity = batch.output_capacity;
  plain.output_lengths = entries_of(batch.output_lengths);
  plain.nonces = detail::plain(batch.nonces);
  plain.nonce_length = batch.nonce_length;
  plain.aad = detail::plain(batch.aad);
  plain.aad_length = batch.aad_length;
  plain.aad_lengths = entries_of(batch.aad_lengths);
  plain.aad_strings = batch.aad_strings;
  plain.tags = to_read(batch.tags);
  plain.tag_length = batch.tag_length;
  plain.keys = detail::plain(batch.keys);
  plain.key_length = batch.key_length;
  plain.statuses = entries_of(batch.statuses);
  return plain;
}

inline void require_room(bool enough, const char* what) {
  if (enough) return;
  throw Error(WARPAES_ERROR_BUFFER_SIZE,
              std::string(what) + ": the memory that was given is too small for all messages of the batch");
}

/// The array with an entry for each message: null if it is empty, else checked to be long enough.
template <class T>
void require_entries(std::span<T> array, uint64_t count, const char* what) {
  require_room(array.empty() || array.size() >= count, what);
}

/// Checks that a row of length_of(m) bytes for each message m lies within the memory. Where all rows have one
/// length it is enough to look at the last.
template <class Memory, class Pointer, class LengthOf>
void require_rows(const Rows<Memory, Pointer>& rows, uint64_t count, bool equal, LengthOf length_of,
                  const char* what) {
  require_entries(rows.pointers(), count, what);
  if (rows.memory().data() == nullptr || count == 0) return;
  const uint64_t size = rows.memory().size();
  for (uint64_t m = equal ? count - 1 : 0; m < count; m++) {
    const uint64_t length = length_of(m);
    require_room(length <= size && (rows.stride() == 0 || m <= (size - length) / rows.stride()), what);
  }
}

/// The length of a message's output, or 0 for a length that the mode does not have, which the call itself
/// refuses.
inline uint64_t room_for(Mode mode, Direction direction, uint64_t length) {
  uint64_t size = 0;
  return warpaes_output_size(plain(mode), plain(direction), length, &size) == WARPAES_OK ? size : 0;
}

/// What the checks of a batch need to know besides the batch itself.
struct BatchCall {
  Mode mode;
  Direction direction;
  bool lengths_are_readable;  ///< host memory
};

template <class Tags>
void require_memory(const BasicBatch<Tags>& batch, const BatchCall& call) {
  const ModeInfo info = mode_info(call.mode);
  const uint64_t count = batch.count, strings = batch.aad_strings == 0 ? 1 : batch.aad_strings;
  require_entries(batch.lengths, count, "lengths");
  require_entries(batch.output_lengths, count, "output_lengths");
  require_entries(batch.statuses, count, "statuses");
  require_entries(batch.aad_lengths, count * strings, "aad_lengths");

  const auto always = [](uint64_t length) { return [length](uint64_t) { return length; }; };
  require_rows(batch.nonces, count, true,
               always(batch.nonce_length == 0 ? info.recommended_nonce : batch.nonce_length), "nonces");
  require_rows(batch.tags, count, true,
               always(batch.tag_length == 0 ? info.recommended_tag : batch.tag_length), "tags");
  require_rows(batch.keys, count, true, always(batch.key_length), "keys");

  const bool equal = batch.lengths.empty(), equal_aad = batch.aad_lengths.empty();
  // A length above the most is that message's status, and its memory is left alone.
  const auto at_most = [](uint64_t length, uint64_t most) { return length > most ? 0 : length; };
  if (equal_aad || call.lengths_are_readable) {
    const auto length_of = [&](uint64_t m) {
      return equal_aad ? batch.aad_length : at_most(batch.aad_lengths[m], batch.aad_length);
    };
    require_rows(batch.aad, count * strings, equal_aad, length_of, "aad");
  }
  if (equal || call.lengths_are_readable) {
    const auto length_of = [&](uint64_t m) {
      return equal ? batch.length : at_most(batch.lengths[m], batch.length);
    };
    const auto room_of = [&](uint64_t m) {
      return batch.output_capacity != 0 ? batch.output_capacity
                                        : room_for(call.mode, call.direction, length_of(m));
    };
    require_rows(batch.input, count, equal, length_of, "input");
    require_rows(batch.output, count, equal, room_of, "output");
  }
}

}  // namespace detail

}  // namespace v0
}  // namespace warpaes

#endif
