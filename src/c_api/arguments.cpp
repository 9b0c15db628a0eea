#include "c_api/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "modes/regions.hpp"
#include "modes/siv.hpp"

namespace warpaes::core::c_api {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Failure(WARPAES_ERROR_OPTION, why); }

void check_nonce(const ModeRow& mode, const warpaes_message& given, Message& message) {
  require_unused(!mode.has_nonce() && (given.nonce != nullptr || given.nonce_length != 0), mode,
                 "message->nonce");
  message.nonce_bytes = given.nonce_length;
  require_nonce_length(mode, message.nonce_bytes);
  if (message.nonce_bytes == 0) {  // in SIV: a length that was forgotten would make equal messages equal
    if (given.nonce != nullptr) refuse("message->nonce is given, and message->nonce_length is 0");
    return;
  }
  require(given.nonce, "message->nonce");
  message.nonce = bytes_at(given.nonce);
  checked_range("the nonce", message.nonce, message.nonce_bytes);
}

/// Checks SIV's strings. A single one is the same as `aad`.
void check_strings(const warpaes_message& given, Message& message) {
  if (given.string_count != 0) require(given.strings, "message->strings");
  if (given.strings == nullptr) return;
  if (given.aad != nullptr || given.aad_length != 0) {
    refuse("message->strings are in place of message->aad, and both are given");
  }
  const size_t most = siv_most_aads(message.nonce_bytes);
  if (given.string_count > most) {
    throw Failure(WARPAES_ERROR_LENGTH, "SIV has at most {} strings here, not {}", most, given.string_count);
  }
  const std::span strings(given.strings, given.string_count);
  for (const warpaes_bytes& string : strings) checked_range("a string", string.data, string.length);
  if (strings.size() == 1) {
    message.aad = bytes_at(strings[0].data);
    message.aad_bytes = strings[0].length;
  } else {
    message.strings = strings;
  }
}

void check_bits(const Cipher& cipher, const warpaes_message& given) {
  require_unused(given.unused_bits != 0 && cipher.mode() != WARPAES_MODE_CFB1, cipher.row(),
                 "message->unused_bits");
  if (given.unused_bits > 7) refuse("message->unused_bits is more than 7");
  if (given.unused_bits != 0 && given.length == 0) refuse("message->unused_bits of a message of no bytes");
}

/// Checks the length of the input, and thereby that of the output.
void check_length(const ModeRow& mode, const warpaes_message& given, const Message& message) {
  checked_range("the input", given.input, given.length);
  mode.lengths(message.direction).require(given.length);
  mode.require_length(message.direction, message.nonce_bytes, given.length);
  if (mode.longest_unit != 0) {
    mode.require_unit(message.direction, given.data_unit != 0 ? given.data_unit : given.length);
  }
}

void check_status(const ModeRow& mode, const warpaes_message& given, const Message& message, Place place) {
  const bool needed = place == Place::device && mode.may_refuse(message.direction);
  if (needed) {
    require(given.status, "message->status");
  } else if (given.status != nullptr) {
    refuse(place == Place::host ? "message->status is for calls on device memory"
                                : "message->status is for decryption in modes that can refuse a message");
  }
}

void check_output_length(const ModeRow& mode, const warpaes_message& given, const Message& message,
                         Place place) {
  if (mode.hides_length(message.direction)) require(given.output_length, "message->output_length");
  require_unused(place == Place::device && given.output_length != nullptr && !mode.changes_length(), mode,
                 "message->output_length on device memory, where outputs are as long as their inputs");
}

/// @param told where a call on host memory writes the output's length, or null
void check_overlaps(const Message& message, uint64_t output_bytes, Place place, const uint64_t* told) {
  const MemoryRange input = checked_range("the input", message.input, message.bytes),
                    output = checked_range("the output", message.output, output_bytes),
                    tag = checked_range("the tag", message.tag, message.tag_bytes),
                    aad = checked_range("the additional data", message.aad, message.aad_bytes),
                    nonce = checked_range("the nonce", message.nonce,
                                          place == Place::host ? message.nonce_bytes : 0),
                    length = checked_range("the output's length", told, told != nullptr ? sizeof *told : 0);
  const auto require_unwritten = [&](const MemoryRange& read) {
    require_apart(length, read);
    require_apart(output, read);
    if (message.encrypts()) require_apart(tag, read);
  };
  if (message.input != message.output) require_apart(output, input);
  require_apart(output, tag);
  if (message.encrypts()) require_apart(tag, input);
  for (const MemoryRange& each : {input, output, tag}) require_apart(length, each);
  require_unwritten(nonce);
  require_unwritten(aad);
  if (!message.strings) return;
  for (const warpaes_bytes& string : *message.strings) {
    require_unwritten(checked_range("a string", string.data, string.length));
  }
}

template <class Place>
bool is_given(const Place& place) {
  return place.data != nullptr || place.pointers != nullptr;
}

/// Throws OPTION if both a pointer and an array of pointers are given.
template <class Place>
void require_one(const Place& place, const char* name) {
  if (place.data != nullptr && place.pointers != nullptr) {
    refuse(fmt::format("{} has both data and pointers", name));
  }
}

void require_places(const warpaes_batch& given) {
  require_one(given.input, "batch->input");
  require_one(given.output, "batch->output");
  require_one(given.nonces, "batch->nonces");
  require_one(given.aad, "batch->aad");
  require_one(given.tags, "batch->tags");
  require_one(given.keys, "batch->keys");
}

void require_used(const ModeRow& mode, const warpaes_batch& given) {
  const bool is_siv = mode.is_aead && mode.key_count == 2;
  require_unused(!mode.has_output && (is_given(given.output) || given.output_capacity != 0), mode,
                 "batch->output");
  require_unused(!mode.has_nonce() && (is_given(given.nonces) || given.nonce_length != 0), mode,
                 "batch->nonces");
  require_unused(
      mode.longest_aad == 0 && (is_given(given.aad) || given.aad_length != 0 || given.aad_lengths != nullptr),
      mode, "batch->aad");
  require_unused(!is_siv && given.aad_strings != 0, mode, "batch->aad_strings");
  require_unused(!mode.has_tag() && (is_given(given.tags) || given.tag_length != 0), mode, "batch->tags");
}

/// The pointers of an array of the C interface, to bytes.
auto listed(const void* const* pointers) { return reinterpret_cast<const uint8_t* const*>(pointers); }
auto listed(void* const* pointers) { return reinterpret_cast<uint8_t* const*>(pointers); }

std::optional<KeyArray> keys_of(const Cipher& cipher, const warpaes_batch& given) {
  if (cipher.has_key()) {
    if (is_given(given.keys) || given.key_length != 0) {
      refuse("batch->keys is for ciphers that were created without a key");
    }
    return std::nullopt;
  }
  if (!is_given(given.keys) && given.key_length == 0) cipher.key();  // throws STATE
  require_key_length(cipher.row(), given.key_length);
  return KeyArray{bytes_at(given.keys.data), given.keys.stride, given.key_length,
                  listed(given.keys.pointers)};
}

/// Checks the length of every message, or the largest that is allowed.
void require_lengths(const ModeRow& mode, Direction direction, const warpaes_batch& given) {
  // More messages than there are addresses, which could make the numbers below overflow.
  constexpr uint64_t kMostMessages = uint64_t{1} << 48;
  if (given.count > kMostMessages) {
    throw Failure(WARPAES_ERROR_LENGTH, "batch->count is {}", given.count);
  }
  if (given.count != 0 && given.lengths == nullptr) mode.require_unit(direction, given.length);
  if (given.output_capacity != 0) {
    require_room(mode.lengths(direction).output(given.length), given.output_capacity);
  }
}

void require_output_lengths(const ModeRow& mode, Direction direction, const warpaes_batch& given,
                            Place place) {
  if (mode.hides_length(direction) && given.count != 0)
    require(given.output_lengths, "batch->output_lengths");
  require_unused(place == Place::device && given.output_lengths != nullptr && !mode.changes_length(), mode,
                 "batch->output_lengths on device memory, where outputs are as long as their inputs");
}

size_t nonce_length_of(const ModeRow& mode, const warpaes_batch& given) {
  const size_t length = given.nonce_length != 0 ? given.nonce_length : mode.recommended_nonce;
  require_nonce_length(mode, length);
  if (length == 0 && is_given(given.nonces)) {
    refuse(
        fmt::format("batch->nonces are given, and batch->nonce_length is 0: {} recommends no length that "
                    "could stand for it",
                    mode.name));
  }
  return length;
}

/// Throws STRIDE for what nobody can want: a nonce is for one message. Arrays are not searched for
/// repetitions.
void require_own_nonces(const ModeRow& mode, Direction direction, const warpaes_batch& given) {
  const bool share = given.nonces.data != nullptr && given.nonces.stride == 0 && given.count > 1;
  const bool own_keys = given.keys.pointers != nullptr || given.keys.stride != 0;
  if (!mode.breaks_by_repetition || direction != WARPAES_DIRECTION_ENCRYPT || !share || own_keys) return;
  throw Failure(WARPAES_ERROR_STRIDE,
                "batch->nonces.stride is 0: all messages would be encrypted with one key and one "
                "nonce, which {} does not survive; give each message a nonce",
                mode.name);
}

size_t tag_length_of(const ModeRow& mode, const warpaes_batch& given) {
  const size_t length = given.tag_length != 0 ? given.tag_length : mode.recommended_tag();
  if (mode.has_tag()) require_tag_length(mode, length);
  return length;
}

/// Makes a batch of what the caller has given, whose addresses and strides have not been checked.
Batch given_batch(const Cipher& cipher, Direction direction, const warpaes_batch& given) {
  const ModeRow& mode = cipher.row();
  Batch batch{};
  batch.mode = cipher.mode();
  batch.direction = direction;
  batch.messages = given.count;
  batch.nonce_bytes = nonce_length_of(mode, given);
  if (mode.is_aead) mode.require_length(direction, batch.nonce_bytes, given.length);
  if (batch.nonce_bytes != 0) {
    batch.nonces = bytes_at(given.nonces.data);
    batch.nonce_stride = given.nonces.stride;
    batch.nonce_pointers = listed(given.nonces.pointers);
  }
  batch.tags = bytes_at(given.tags.data);
  batch.tag_stride = given.tags.stride;
  batch.tag_pointers = listed(given.tags.pointers);
  batch.tag_bytes = tag_length_of(mode, given);
  batch.statuses = given.statuses;
  batch.output_lengths = given.output_lengths;
  batch.bytes = given.length;
  batch.lengths = given.lengths;
  batch.input = bytes_at(given.input.data);
  batch.input_stride = given.input.stride;
  batch.inputs = listed(given.input.pointers);
  batch.output = bytes_at(given.output.data);
  batch.output_stride = given.output.stride;
  batch.outputs = listed(given.output.pointers);
  batch.aad = bytes_at(given.aad.data);
  batch.aad_stride = given.aad.stride;
  batch.aads = listed(given.aad.pointers);
  batch.aad_bytes = given.aad_length;
  batch.aad_lengths = given.aad_lengths;
  if (given.aad_strings != 0) batch.aad_strings = given.aad_strings;
  as_engines_know(batch);
  return batch;
}

}  // namespace

void refuse_member(const ModeRow& mode, const char* member) {
  refuse(fmt::format("{} has no use for {}", mode.name, member));
}

void check_parameters(const Cipher& cipher, const warpaes_message& given, Message& parameters) {
  const ModeRow& mode = cipher.row();
  require_reserved(given.reserved, "message");
  check_nonce(mode, given, parameters);
  require_unused(mode.longest_aad == 0 && (given.aad != nullptr || given.aad_length != 0), mode,
                 "message->aad");
  require_unused(cipher.mode() != WARPAES_MODE_SIV && (given.strings != nullptr || given.string_count != 0),
                 mode, "message->strings");
  require_unused(mode.longest_unit == 0 && given.data_unit != 0, mode, "message->data_unit");
  require_unused(!mode.has_tag() && (given.tag != nullptr || given.tag_length != 0), mode, "message->tag");
  parameters.aad = bytes_at(given.aad);
  parameters.aad_bytes = given.aad_length;
  check_strings(given, parameters);
  checked_range("the additional data", parameters.aad, parameters.aad_bytes);
  require_aad_length(mode, parameters.aad_bytes);
  parameters.data_unit = given.data_unit;
  if (!mode.has_tag()) return;
  parameters.tag_bytes = given.tag_length != 0 ? given.tag_length : mode.recommended_tag();
  require_tag_length(mode, parameters.tag_bytes);
}

Message checked_message(const Cipher& cipher, Direction direction, const warpaes_message& given,
                        Place place) {
  const ModeRow& mode = cipher.row();
  cipher.key();
  Message message{};
  message.direction = direction;
  check_parameters(cipher, given, message);
  check_bits(cipher, given);
  check_length(mode, given, message);
  require_unused(!mode.has_output && (given.output != nullptr || given.output_capacity != 0), mode,
                 "message->output");
  const uint64_t output_bytes = mode.lengths(direction).output(given.length);
  require_room(output_bytes, given.output_capacity);
  if (output_bytes != 0) require(given.output, "message->output");
  if (mode.has_tag()) require(given.tag, "message->tag");
  check_status(mode, given, message, place);
  check_output_length(mode, given, message, place);
  message.input = bytes_at(given.input);
  message.bytes = given.length;
  message.output = bytes_at(given.output);
  message.tag = bytes_at(given.tag);
  message.unused_bits = given.unused_bits;
  message.status = given.status;
  if (place == Place::device) message.output_length = given.output_length;
  check_overlaps(message, output_bytes, place, place == Place::host ? given.output_length : nullptr);
  return message;
}

bool output_length_is_apart(const Cipher& cipher, Direction direction, const warpaes_message& given) {
  const ModeRow& mode = cipher.row();
  const auto is_apart = [&](const void* data, uint64_t bytes) {
    return apart_from_unchecked(given.output_length, data, bytes);
  };
  const uint64_t output_bytes = mode.lengths(direction).output(given.length);
  // In other modes, and if there are too many, they are refused without being looked at.
  const bool has_strings = cipher.mode() == WARPAES_MODE_SIV && given.strings != nullptr;
  const std::span strings(given.strings,
                          has_strings && given.string_count <= kSivMostAads ? given.string_count : 0);
  return is_apart(given.input, given.length) &&
         is_apart(given.output, std::min(output_bytes, given.output_capacity)) &&
         is_apart(given.nonce, given.nonce_length) && is_apart(given.aad, given.aad_length) &&
         is_apart(given.tag, given.tag_length != 0 ? given.tag_length : mode.recommended_tag()) &&
         std::ranges::all_of(
             strings, [&](const warpaes_bytes& string) { return is_apart(string.data, string.length); });
}

CheckedBatch checked_batch(const Cipher& cipher, Direction direction, const warpaes_batch& given,
                           Place place) {
  const ModeRow& mode = cipher.row();
  require_places(given);
  require_used(mode, given);
  const std::optional<KeyArray> keys = keys_of(cipher, given);
  require_lengths(mode, direction, given);
  require_output_lengths(mode, direction, given, place);
  const Batch batch = given_batch(cipher, direction, given);
  require_own_nonces(mode, direction, given);
  return {batch, keys};
}

}  // namespace warpaes::core::c_api
