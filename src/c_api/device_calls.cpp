// Calls on device memory: they check, launch and return.
#include "c_api/device_memory.hpp"
#include "c_api/gcm_arguments.hpp"
#include "modes/modes.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

void ecb_device(const warpaes_key* handle, Direction direction, const BlockRun& run, Stream stream) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().device_engine();
  require_valid_ecb(run);
  require_on_device(key.context().device(),
                    {{"input", run.input, run.bytes}, {"output", run.output, run.bytes}});
  ecb(engine, key.prepared(engine), direction, run, stream);
}

void require_batch_on_device(int device, const AeadBatch& batch, const void* workspace,
                             size_t workspace_bytes) {
  const uint64_t any = batch.messages;
  const bool statuses_matter = batch.direction == WARPAES_DECRYPT || !is_regular(batch);
  require_on_device(device, {{"input", batch.input, any && !batch.inputs ? batch.bytes : 0},
                             {"output", batch.output, any && !batch.outputs ? batch.bytes : 0},
                             {"nonces", batch.nonces, batch.host_nonce ? 0 : any},
                             {"aad", batch.aad, any && !batch.aads ? batch.aad_bytes : 0},
                             {"lengths", batch.lengths, batch.lengths ? any : 0},
                             {"inputs", batch.inputs, batch.inputs ? any : 0},
                             {"outputs", batch.outputs, batch.outputs ? any : 0},
                             {"aads", batch.aads, batch.aads ? any : 0},
                             {"aad_lengths", batch.aad_lengths, batch.aad_lengths ? any : 0},
                             {"tags", batch.tags, any},
                             {"statuses", batch.statuses, batch.statuses && statuses_matter ? any : 0},
                             {"workspace", workspace, workspace ? workspace_bytes : 0}});
}

void require_aligned_statuses(const AeadBatch& batch) {
  if (batch.statuses != nullptr && reinterpret_cast<uintptr_t>(batch.statuses) % alignof(int32_t) != 0) {
    throw Failure(WARPAES_ERROR_OPTION, "statuses is not aligned to 4 bytes");
  }
}

void gcm_device(const warpaes_key* handle, const AeadBatch& batch, void* workspace, size_t workspace_bytes,
                Stream stream) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().device_engine();
  require_valid_aead(batch);
  require_aligned_statuses(batch);
  require_batch_on_device(key.context().device(), batch, workspace, workspace_bytes);
  gcm(engine, key.prepared(engine), batch, workspace, workspace_bytes, stream);
}

}  // namespace

warpaes_status warpaes_ecb_encrypt_device(const warpaes_key* key, const void* input, void* output,
                                          uint64_t bytes, warpaes_stream stream) {
  return guarded(
      [&] { ecb_device(key, WARPAES_ENCRYPT, {bytes_at(input), bytes_at(output), bytes}, stream); });
}

warpaes_status warpaes_ecb_decrypt_device(const warpaes_key* key, const void* input, void* output,
                                          uint64_t bytes, warpaes_stream stream) {
  return guarded(
      [&] { ecb_device(key, WARPAES_DECRYPT, {bytes_at(input), bytes_at(output), bytes}, stream); });
}

warpaes_status warpaes_ctr_crypt_device(const warpaes_key* handle, const uint8_t counter[16],
                                        const void* input, void* output, uint64_t bytes,
                                        warpaes_stream stream) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const Engine& engine = key.context().device_engine();
    const CounterRun run{counter, bytes_at(input), bytes_at(output), bytes};
    require_valid_ctr(run);
    require_on_device(key.context().device(), {{"input", input, bytes}, {"output", output, bytes}});
    ctr(engine, key.prepared(engine), run, stream);
  });
}

warpaes_status warpaes_gcm_workspace_bytes(const warpaes_key* handle, uint64_t messages, uint64_t bytes,
                                           size_t* workspace_bytes) {
  return guarded([&] {
    require(workspace_bytes, "workspace_bytes");
    *workspace_bytes = 0;
    const Engine& engine = key_of(handle).context().device_engine();
    // No more messages than addresses: the size cannot overflow.
    if (bytes > kGcmMaxBytes || messages > uint64_t{1} << 48) {
      throw Failure(WARPAES_ERROR_LENGTH, "no GCM call works on so many messages or bytes");
    }
    *workspace_bytes = gcm_workspace_bytes(engine, messages, bytes);
  });
}

warpaes_status warpaes_gcm_encrypt_device(const warpaes_key* key, const void* nonce, size_t nonce_bytes,
                                          const void* aad, uint64_t aad_bytes, const void* input,
                                          void* output, uint64_t bytes, void* tag, size_t tag_bytes,
                                          void* workspace, size_t workspace_bytes, warpaes_stream stream) {
  return guarded([&] {
    const GcmMessage message{nonce,  nonce_bytes, aad, aad_bytes, input,
                             output, bytes,       tag, tag_bytes, nullptr};
    gcm_device(key, batch_of(WARPAES_ENCRYPT, message), workspace, workspace_bytes, stream);
  });
}

warpaes_status warpaes_gcm_decrypt_device(const warpaes_key* key, const void* nonce, size_t nonce_bytes,
                                          const void* aad, uint64_t aad_bytes, const void* input,
                                          void* output, uint64_t bytes, const void* tag, size_t tag_bytes,
                                          int32_t* status, void* workspace, size_t workspace_bytes,
                                          warpaes_stream stream) {
  return guarded([&] {
    const GcmMessage message{nonce,  nonce_bytes, aad, aad_bytes, input,
                             output, bytes,       tag, tag_bytes, status};
    gcm_device(key, batch_of(WARPAES_DECRYPT, message), workspace, workspace_bytes, stream);
  });
}

warpaes_status warpaes_gcm_batch_device(const warpaes_key* key, warpaes_direction direction,
                                        const warpaes_gcm_batch_arguments* arguments, void* workspace,
                                        size_t workspace_bytes, warpaes_stream stream) {
  return guarded(
      [&] { gcm_device(key, batch_of(direction, arguments), workspace, workspace_bytes, stream); });
}

warpaes_status warpaes_gcm_batch_key_each_device(warpaes_context* handle, const void* keys, size_t key_bytes,
                                                 uint64_t key_stride, warpaes_direction direction,
                                                 const warpaes_gcm_batch_arguments* arguments,
                                                 warpaes_stream stream) {
  return guarded([&] {
    require(handle, "context");
    const AeadBatch batch = batch_of(direction, arguments);
    const KeyArray array{bytes_at(keys), key_stride, key_bytes};
    const Context& context = handle->context;
    const Engine& engine = context.device_engine();
    require_valid_aead_key_each(array, batch);
    require_aligned_statuses(batch);
    require_on_device(context.device(), {{"keys", keys, batch.messages == 0 ? 0 : key_bytes}});
    require_batch_on_device(context.device(), batch, nullptr, 0);
    aead_key_each(engine, context.device(), array, batch, stream);
  });
}
