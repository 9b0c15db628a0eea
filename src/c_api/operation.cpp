// Messages that come in parts.
#include <algorithm>

#include "c_api/arguments.hpp"
#include "pipeline/host_run.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

void require_no_data(const warpaes_message& given) {
  const bool has_data = given.input != nullptr || given.length != 0 || given.output != nullptr ||
                        given.output_capacity != 0 || given.output_length != nullptr ||
                        given.tag != nullptr || given.status != nullptr || given.unused_bits != 0;
  if (!has_data) return;
  throw Failure(WARPAES_ERROR_OPTION,
                "a message in parts has its input, output and tag in the calls that follow, and whole bytes");
}

OperationOptions options_of(const Cipher& cipher, Direction direction, const Message& parameters) {
  return {
      .mode = cipher.mode(),
      .direction = direction,
      .tweak_key = cipher.second_key(),
      .iv = {parameters.nonce, parameters.nonce_bytes},
      .data_unit_bytes = parameters.data_unit,
      .tag_bytes = parameters.tag_bytes,
      .aad = {parameters.aad, parameters.aad_bytes},
  };
}

/// What a handle of either kind points to, const or not.
auto& operation_of(auto* handle) {
  require(handle, "operation");
  return handle->operation;
}

/// Begins either of the two calls that end an operation: the length that it tells is 0 if it fails.
void begin_end(const warpaes_operation* operation, uint64_t* output_length, warpaes_bytes read,
               warpaes_bytes room) {
  const uint64_t written = size_unless_refused([&] { return operation_of(operation).finish_bytes(); });
  begin_length(output_length, "output_length", {read, {room.data, std::min(room.length, written)}});
}

}  // namespace

warpaes_status warpaes_operation_create(const warpaes_cipher* cipher, warpaes_direction direction,
                                        const warpaes_message* message, warpaes_operation** operation) {
  return guarded_into(operation, "operation", [&] {
    const warpaes_message given = read_structure(message, "message");
    const Cipher& bound = cipher_of(cipher);
    const bool unverified = direction == WARPAES_DIRECTION_DECRYPT_UNVERIFIED;
    const Direction way = unverified ? WARPAES_DIRECTION_DECRYPT : direction;
    require_direction(way, "none of the constants of warpaes_direction");
    (unverified ? require_unverified_mode : require_parted_mode)(bound.mode(), way);
    require_no_data(given);
    Message parameters{};
    check_parameters(bound, given, parameters);
    return new warpaes_operation{Operation(bound.key(), options_of(bound, way, parameters))};
  });
}

warpaes_status warpaes_operation_size(const warpaes_operation* operation, uint64_t length, uint64_t* update,
                                      uint64_t* finish) {
  return guarded([&] {
    if (update == nullptr) require(finish, "update or finish");
    if (update != nullptr) *update = 0;
    if (finish != nullptr) *finish = 0;
    const Operation& asked = operation_of(operation);
    const uint64_t written = asked.update_bytes(length);
    if (update != nullptr) *update = written;
    if (finish != nullptr) *finish = asked.finish_bytes();
  });
}

warpaes_status warpaes_operation_update(warpaes_operation* operation, const void* input, uint64_t length,
                                        void* output, uint64_t capacity, uint64_t* output_length) {
  return guarded_quickly([&] {
    const uint64_t written =
        size_unless_refused([&] { return operation_of(operation).update_bytes(length); });
    begin_length(output_length, "output_length", {{input, length}, {output, std::min(capacity, written)}});
    *output_length = operation_of(operation).update(bytes_at(input), length, bytes_at(output), capacity);
  });
}

warpaes_status warpaes_operation_finish(warpaes_operation* operation, void* output, uint64_t capacity,
                                        uint64_t* output_length) {
  return guarded_quickly([&] {
    begin_end(operation, output_length, {}, {output, capacity});
    *output_length = operation_of(operation).finish(bytes_at(output), capacity);
  });
}

warpaes_status warpaes_operation_verify(warpaes_operation* operation, const void* tag, size_t tag_length,
                                        void* output, uint64_t capacity, uint64_t* output_length) {
  return guarded([&] {
    begin_end(operation, output_length, {tag, tag_length}, {output, capacity});
    Operation& verified = operation_of(operation);
    require(tag, "tag");
    const uint64_t held = verified.finish_bytes();
    try {
      *output_length = verified.verify({bytes_at(tag), tag_length}, bytes_at(output), capacity);
    } catch (const Failure& failure) {
      if (failure.status() == WARPAES_ERROR_AUTHENTICATION) wipe(bytes_at(output), held);
      throw;
    }
  });
}

warpaes_status warpaes_operation_seek(warpaes_operation* operation, uint64_t offset) {
  return guarded([&] { operation_of(operation).seek(offset); });
}

warpaes_status warpaes_operation_copy(const warpaes_operation* operation, warpaes_operation** copy) {
  return guarded_into(copy, "copy",
                      [&] { return new warpaes_operation{Operation(operation_of(operation))}; });
}

void warpaes_operation_destroy(warpaes_operation* operation) { delete operation; }
