// Messages in parts, of the C ABI.
#include <memory>

#include "c_api/handles.hpp"
#include "operations/operation.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

struct warpaes_operation {
  warpaes::Operation operation;
};

namespace {

OperationOptions options_of(const warpaes_operation_options* given) {
  require(given, "options");
  require_layout(*given, "options", "warpaes_operation_options");
  return {
      .mode = given->mode,
      .direction = given->direction,
      .tweak_key = given->tweak_key == nullptr ? nullptr : &given->tweak_key->key,
      .iv = {bytes_at(given->iv), given->iv_bytes},
      .data_unit_bytes = given->data_unit_bytes,
      .tag_bytes = given->tag_bytes,
      .aad = {bytes_at(given->aad), given->aad_bytes},
  };
}

const Operation& operation_of(const warpaes_operation* handle) {
  require(handle, "operation");
  return handle->operation;
}

Operation& operation_of(warpaes_operation* handle) {
  require(handle, "operation");
  return handle->operation;
}

}  // namespace

warpaes_status warpaes_operation_create(const warpaes_key* key, const warpaes_operation_options* options,
                                        warpaes_operation** operation) {
  return guarded([&] {
    require(operation, "operation");
    *operation = nullptr;
    *operation = new warpaes_operation{Operation(key_of(key), options_of(options))};
  });
}

warpaes_status warpaes_operation_update_bytes(const warpaes_operation* operation, uint64_t bytes,
                                              uint64_t* output_bytes) {
  return guarded([&] {
    require(output_bytes, "output_bytes");
    *output_bytes = 0;
    *output_bytes = operation_of(operation).update_bytes(bytes);
  });
}

warpaes_status warpaes_operation_update(warpaes_operation* operation, const void* input, uint64_t bytes,
                                        void* output, uint64_t output_size, uint64_t* output_bytes) {
  return guarded([&] {
    require(output_bytes, "output_bytes");
    *output_bytes = 0;
    *output_bytes = operation_of(operation).update(bytes_at(input), bytes, bytes_at(output), output_size);
  });
}

warpaes_status warpaes_operation_finish_bytes(const warpaes_operation* operation, uint64_t* output_bytes) {
  return guarded([&] {
    require(output_bytes, "output_bytes");
    *output_bytes = 0;
    *output_bytes = operation_of(operation).finish_bytes();
  });
}

warpaes_status warpaes_operation_finish(warpaes_operation* operation, void* output, uint64_t output_size,
                                        uint64_t* output_bytes) {
  return guarded([&] {
    require(output_bytes, "output_bytes");
    *output_bytes = 0;
    *output_bytes = operation_of(operation).finish(bytes_at(output), output_size);
  });
}

warpaes_status warpaes_operation_seek(warpaes_operation* operation, uint64_t offset) {
  return guarded([&] { operation_of(operation).seek(offset); });
}

void warpaes_operation_destroy(warpaes_operation* operation) { delete operation; }
