#include <string>

#include "c_api/arguments.hpp"

namespace warpaes::core::c_api {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Failure(WARPAES_ERROR_OPTION, why); }

template <class Place>
bool is_given(const Place& place) {
  return place.data != nullptr || place.pointers != nullptr;
}

/// Throws OPTION if both a pointer and an array of pointers are given.
template <class Place>
void require_one(const Place& place, const char* name) {
  if (place.data != nullptr && place.pointers != nullptr) {
    refuse(std::string(name) + " has both data and pointers");
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
                  reinterpret_cast<const uint8_t* const*>(given.keys.pointers)};
}

/// Checks the length of every message, or the largest that is allowed.
void require_lengths(const ModeRow& mode, Direction direction, const warpaes_batch& given) {
  // More messages than there are addresses, which could make the numbers below overflow.
  constexpr uint64_t kMostMessages = uint64_t{1} << 48;
  if (given.count > kMostMessages) {
    throw Failure(WARPAES_ERROR_LENGTH, "batch->count is " + std::to_string(given.count));
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
    refuse(std::string("batch->nonces are given, and batch->nonce_length is 0: ") + mode.name +
           " recommends no length that could stand for it");
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
                std::string("batch->nonces.stride is 0: all messages would be encrypted with one key and one "
                            "nonce, which ") +
                    mode.name + " does not survive; give each message a nonce");
}

size_t tag_length_of(const ModeRow& mode, const warpaes_batch& given) {
  const size_t length = given.tag_length != 0 ? given.tag_length : mode.recommended_tag();
  if (mode.has_tag()) require_tag_length(mode, length);
  return length;
}

template <class Pointers>
auto listed(const Pointers& pointers) {
  return reinterpret_cast<const uint8_t* const*>(pointers);
}
auto listed(void* const* pointers) { return reinterpret_cast<uint8_t* const*>(pointers); }

Batch batch_of(const Cipher& cipher, Direction direction, const warpaes_batch& given) {
  const ModeRow& mode = cipher.row();
  Batch batch{};
  batch.mode = batch_mode(cipher.mode());
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
  if (batch.mode != cipher.mode()) {  // of GMAC: what it authenticates becomes the additional data of GCM
    batch.aad = bytes_at(given.input.data);
    batch.aad_stride = given.input.stride;
    batch.aads = listed(given.input.pointers);
    batch.aad_bytes = given.length;
    batch.aad_lengths = given.lengths;
    return batch;
  }
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
  return batch;
}

}  // namespace

CheckedBatch checked_batch(const Cipher& cipher, Direction direction, const warpaes_batch& given,
                           Place place) {
  const ModeRow& mode = cipher.row();
  require_places(given);
  require_used(mode, given);
  const std::optional<KeyArray> keys = keys_of(cipher, given);
  require_lengths(mode, direction, given);
  require_output_lengths(mode, direction, given, place);
  const Batch batch = batch_of(cipher, direction, given);
  require_own_nonces(mode, direction, given);
  return {batch, keys};
}

}  // namespace warpaes::core::c_api
