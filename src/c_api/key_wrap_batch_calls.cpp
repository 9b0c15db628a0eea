// Batches of wrapped keys of the C ABI.

#include "c_api/cipher_batch_checks.hpp"
#include "c_api/device_memory.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

using Arguments = warpaes_key_wrap_batch_arguments;

CipherMode mode_of(warpaes_wrapping mode, Direction direction) {
  if (mode != WARPAES_KW && mode != WARPAES_KWP) {
    throw Failure(WARPAES_ERROR_OPTION, "mode is neither WARPAES_KW nor WARPAES_KWP");
  }
  require_direction(direction);
  const bool wraps = direction == WARPAES_ENCRYPT;
  if (mode == WARPAES_KW) return wraps ? CipherMode::kw_wrap : CipherMode::kw_unwrap;
  return wraps ? CipherMode::kwp_wrap : CipherMode::kwp_unwrap;
}

CipherBatch batch_of(warpaes_wrapping wrapping, Direction direction, const Arguments* arguments) {
  require(arguments, "batch");
  const CipherMode mode = mode_of(wrapping, direction);
  require_layout(*arguments, "batch", "warpaes_key_wrap_batch_arguments");
  CipherBatch batch{};
  batch.mode = mode;
  batch.messages = arguments->messages;
  batch.bytes = arguments->bytes;
  batch.input = bytes_at(arguments->input);
  batch.input_stride = arguments->input_stride;
  batch.output = bytes_at(arguments->output);
  batch.output_stride = arguments->output_stride;
  batch.statuses = arguments->statuses;
  batch.lengths = arguments->lengths;
  batch.inputs = reinterpret_cast<const uint8_t* const*>(arguments->inputs);
  batch.outputs = reinterpret_cast<uint8_t* const*>(arguments->outputs);
  batch.output_lengths = arguments->output_lengths;
  return batch;
}

}  // namespace

warpaes_status warpaes_key_wrap_batch(const warpaes_key* handle, warpaes_wrapping mode,
                                      warpaes_direction direction, const Arguments* arguments) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const CipherBatch batch = batch_of(mode, direction, arguments);
    cipher_batch_host(key, batch);
    require_right_messages(batch);
  });
}

warpaes_status warpaes_key_wrap_batch_key_each(warpaes_context* context, const void* keys, size_t key_bytes,
                                               uint64_t key_stride, warpaes_wrapping mode,
                                               warpaes_direction direction, const Arguments* arguments) {
  return guarded([&] {
    require(context, "context");
    const CipherBatch batch = batch_of(mode, direction, arguments);
    cipher_key_each_host(context->context, {bytes_at(keys), key_stride, key_bytes}, batch);
    require_right_messages(batch);
  });
}

warpaes_status warpaes_key_wrap_batch_device(const warpaes_key* handle, warpaes_wrapping mode,
                                             warpaes_direction direction, const Arguments* arguments,
                                             warpaes_stream stream) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const Engine& engine = key.context().device_engine();
    const CipherBatch batch = batch_of(mode, direction, arguments);
    require_valid_cipher_batch(batch);
    require_cipher_batch(engine, batch.mode);
    require_batch_on_device(key.context().device(), batch);
    cipher_batch(engine, key.prepared(engine), batch, stream);
  });
}

warpaes_status warpaes_key_wrap_batch_key_each_device(warpaes_context* handle, const void* keys,
                                                      size_t key_bytes, uint64_t key_stride,
                                                      warpaes_wrapping mode, warpaes_direction direction,
                                                      const Arguments* arguments, warpaes_stream stream) {
  return guarded([&] {
    require(handle, "context");
    const Context& context = handle->context;
    const Engine& engine = context.device_engine();
    const CipherBatch batch = batch_of(mode, direction, arguments);
    key_each_on_device(engine, context.device(), {bytes_at(keys), key_stride, key_bytes}, batch, stream);
  });
}
