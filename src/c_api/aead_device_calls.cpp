// AEAD modes on device memory: calls check, launch and return.
#include <algorithm>
#include <string>

#include "c_api/aead_arguments.hpp"
#include "c_api/device_memory.hpp"
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

void require_batch_on_device(int device, const AeadBatch& batch, const void* workspace,
                             size_t workspace_bytes) {
  const uint64_t any = batch.messages;
  const bool statuses_matter = batch.direction == WARPAES_DECRYPT || !is_regular(batch);
  require_on_device(device, {{"input", batch.input, any && !batch.inputs ? batch.bytes : 0},
                             {"output", batch.output, any && !batch.outputs ? batch.bytes : 0},
                             {"nonces", batch.nonces, batch.host_nonce || batch.nonce_bytes == 0 ? 0 : any},
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

/// @param mac_key SIV's other key; else null
void aead_device(const Key& key, const Key* mac_key, AeadBatch batch, void* workspace, size_t workspace_bytes,
                 Stream stream) {
  const Engine& engine = key.context().device_engine();
  require_valid_aead(batch);
  require_aead_key(batch.mode, key.key_bits());
  require_aead(engine, batch.mode);
  require_aligned_statuses(batch);
  require_batch_on_device(key.context().device(), batch, workspace, workspace_bytes);
  if (mac_key != nullptr) batch.mac_key = &mac_key->prepared(engine);
  aead(engine, {key.prepared(engine), key.key_bits()}, batch, workspace, workspace_bytes, stream);
}

}  // namespace

warpaes_status warpaes_aead_workspace_bytes(const warpaes_key* handle, warpaes_aead mode, uint64_t messages,
                                            uint64_t bytes, size_t* workspace_bytes) {
  return guarded([&] {
    require(workspace_bytes, "workspace_bytes");
    *workspace_bytes = 0;
    const Engine& engine = key_of(handle).context().device_engine();
    const AeadRow& row = aead_row(mode);
    require_aead(engine, mode);
    // No more messages than addresses, none longer than memory: the size cannot overflow.
    const uint64_t most = std::min(row.most_bytes(row.shortest_nonce), uint64_t{1} << 40);
    if (bytes > most || messages > uint64_t{1} << 48) {
      throw Failure(WARPAES_ERROR_LENGTH,
                    std::string("no ") + row.name + " call works on so many messages or bytes");
    }
    *workspace_bytes = aead_workspace_bytes(engine, mode, messages, bytes);
  });
}

warpaes_status warpaes_aead_encrypt_device(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                           size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                           const void* input, void* output, uint64_t bytes, void* tag,
                                           size_t tag_bytes, void* workspace, size_t workspace_bytes,
                                           warpaes_stream stream) {
  return guarded([&] {
    const AeadMessage message{nonce,  nonce_bytes, aad, aad_bytes, input,
                              output, bytes,       tag, tag_bytes, nullptr};
    aead_device(key_of(key), nullptr, batch_of(mode, WARPAES_ENCRYPT, message), workspace, workspace_bytes,
                stream);
  });
}

warpaes_status warpaes_aead_decrypt_device(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                           size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                           const void* input, void* output, uint64_t bytes, const void* tag,
                                           size_t tag_bytes, int32_t* status, void* workspace,
                                           size_t workspace_bytes, warpaes_stream stream) {
  return guarded([&] {
    const AeadMessage message{nonce,  nonce_bytes, aad, aad_bytes, input,
                              output, bytes,       tag, tag_bytes, status};
    aead_device(key_of(key), nullptr, batch_of(mode, WARPAES_DECRYPT, message), workspace, workspace_bytes,
                stream);
  });
}

warpaes_status warpaes_aead_batch_device(const warpaes_key* key, warpaes_aead mode,
                                         warpaes_direction direction,
                                         const warpaes_aead_batch_arguments* arguments, void* workspace,
                                         size_t workspace_bytes, warpaes_stream stream) {
  return guarded([&] {
    const AeadBatch batch = batch_of(mode, direction, arguments);
    aead_device(key_of(key), mac_key_of(key_of(key), mode, *arguments), batch, workspace, workspace_bytes,
                stream);
  });
}

warpaes_status warpaes_aead_batch_key_each_device(warpaes_context* handle, const void* keys, size_t key_bytes,
                                                  uint64_t key_stride, warpaes_aead mode,
                                                  warpaes_direction direction,
                                                  const warpaes_aead_batch_arguments* arguments,
                                                  warpaes_stream stream) {
  return guarded([&] {
    require(handle, "context");
    const AeadBatch batch = batch_of(mode, direction, arguments);
    require_no_mac_key(*arguments);
    const KeyArray array{bytes_at(keys), key_stride, key_bytes};
    const Context& context = handle->context;
    const Engine& engine = context.device_engine();
    require_valid_aead_key_each(array, batch);
    require_aead_key_each(engine, batch);
    require_aligned_statuses(batch);
    require_on_device(context.device(), {{"keys", keys, batch.messages == 0 ? 0 : key_bytes}});
    require_batch_on_device(context.device(), batch, nullptr, 0);
    aead_key_each(engine, context.device(), array, batch, stream);
  });
}
