#include "runtime/device_memory.hpp"

#include <string>

#include "device/device.hpp"
#include "failure.hpp"

namespace warpaes::core {
namespace {

uint64_t unless(const void* array, uint64_t bytes) { return array != nullptr ? 0 : bytes; }
uint64_t given(const void* pointer, uint64_t bytes) { return pointer == nullptr ? 0 : bytes; }

}  // namespace

void require_on_device(int device, std::initializer_list<DevicePointer> pointers) {
  for (const DevicePointer& each : pointers) {
    if (each.bytes == 0) continue;
    const Status status = device_pointer_status(each.pointer, device);
    if (status == WARPAES_OK) continue;
    throw Failure(status, std::string(each.name) + " is not in the memory of device " +
                              std::to_string(device) +
                              ": allocate it there, or use the call for host memory");
  }
}

void require_on_device(int device, const AeadBatch& batch) {
  const uint64_t any = batch.messages;
  const bool has_nonces = batch.host_nonce == nullptr && batch.nonce_bytes != 0;
  require_on_device(device, {{"input", batch.input, any == 0 ? 0 : unless(batch.inputs, batch.bytes)},
                             {"output", batch.output, any == 0 ? 0 : unless(batch.outputs, batch.bytes)},
                             {"nonces", batch.nonces, has_nonces ? unless(batch.nonce_pointers, any) : 0},
                             {"aad", batch.aad, any == 0 ? 0 : unless(batch.aads, batch.aad_bytes)},
                             {"tags", batch.tags, unless(batch.tag_pointers, any)},
                             {"lengths", batch.lengths, given(batch.lengths, any)},
                             {"inputs", batch.inputs, given(batch.inputs, any)},
                             {"outputs", batch.outputs, given(batch.outputs, any)},
                             {"nonces' pointers", batch.nonce_pointers, given(batch.nonce_pointers, any)},
                             {"aad's pointers", batch.aads, given(batch.aads, any)},
                             {"aad_lengths", batch.aad_lengths, given(batch.aad_lengths, any)},
                             {"tags' pointers", batch.tag_pointers, given(batch.tag_pointers, any)},
                             {"statuses", batch.statuses, given(batch.statuses, any)}});
}

void require_on_device(int device, const CipherBatch& batch) {
  const uint64_t any = batch.messages;
  require_on_device(device, {{"input", batch.input, any == 0 ? 0 : unless(batch.inputs, batch.bytes)},
                             {"output", batch.output, given(batch.output, any)},
                             {"IVs", batch.ivs, given(batch.ivs, any)},
                             {"tags", batch.tags, given(batch.tags, any)},
                             {"lengths", batch.lengths, given(batch.lengths, any)},
                             {"inputs", batch.inputs, given(batch.inputs, any)},
                             {"outputs", batch.outputs, given(batch.outputs, any)},
                             {"IVs' pointers", batch.iv_pointers, given(batch.iv_pointers, any)},
                             {"tags' pointers", batch.tag_pointers, given(batch.tag_pointers, any)},
                             {"statuses", batch.statuses, given(batch.statuses, any)},
                             {"output_lengths", batch.output_lengths, given(batch.output_lengths, any)}});
}

void require_on_device(int device, const KeyArray& keys, uint64_t messages) {
  require_on_device(device, {{"keys", keys.keys, unless(keys.key_pointers, messages)},
                             {"keys' pointers", keys.key_pointers, given(keys.key_pointers, messages)}});
}

}  // namespace warpaes::core
