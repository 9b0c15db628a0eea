#include "runtime/device_memory.hpp"

#include <string>

#include "device/device.hpp"
#include "failure.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {
namespace {

uint64_t given(const void* pointer, uint64_t bytes) { return pointer == nullptr ? 0 : bytes; }

}  // namespace

void require_on_device(int device, std::initializer_list<DevicePointer> pointers) {
  for (const DevicePointer& each : pointers) {
    if (each.bytes == 0) continue;
    const Status status = device_pointer_status(each.pointer, device);
    if (status == WARPAES_OK || (each.may_be_page_locked && is_pinned(each.pointer, each.bytes))) continue;
    throw Failure(status, std::string(each.name) + " is not in the memory of device " +
                              std::to_string(device) +
                              ": allocate it there, or use the call for host memory");
  }
}

void require_on_device(int device, const Batch& batch) {
  const ModeRow& mode = mode_row(batch.mode);
  const uint64_t any = batch.messages;
  const auto if_any = [any](const void* pointer, uint64_t bytes) {
    return any == 0 ? 0 : given(pointer, bytes);
  };
  require_on_device(
      device,
      {{"input", batch.input, if_any(batch.input, batch.bytes)},
       {"output", batch.output, if_any(batch.output, mode.lengths(batch.direction).output(batch.bytes))},
       {mode.is_aead ? "nonces" : "IVs", batch.nonces, if_any(batch.nonces, batch.nonce_bytes)},
       {"aad", batch.aad, if_any(batch.aad, batch.aad_bytes)},
       {"tags", batch.tags, given(batch.tags, any)},
       {"lengths", batch.lengths, given(batch.lengths, any * sizeof *batch.lengths)},
       {"inputs", batch.inputs, given(batch.inputs, any * sizeof *batch.inputs)},
       {"outputs", batch.outputs, given(batch.outputs, any * sizeof *batch.outputs)},
       {mode.is_aead ? "nonces' pointers" : "IVs' pointers", batch.nonce_pointers,
        given(batch.nonce_pointers, any * sizeof *batch.nonce_pointers)},
       {"aad's pointers", batch.aads, given(batch.aads, any * sizeof *batch.aads)},
       {"aad_lengths", batch.aad_lengths, given(batch.aad_lengths, any * sizeof *batch.aad_lengths)},
       {"tags' pointers", batch.tag_pointers, given(batch.tag_pointers, any * sizeof *batch.tag_pointers)},
       {"statuses", batch.statuses, given(batch.statuses, any * sizeof *batch.statuses), true},
       {"output_lengths", batch.output_lengths,
        given(batch.output_lengths, any * sizeof *batch.output_lengths)}});
}

void require_on_device(int device, const KeyArray& keys, uint64_t messages) {
  require_on_device(device, {{"keys", keys.keys, given(keys.keys, messages)},
                             {"keys' pointers", keys.key_pointers,
                              given(keys.key_pointers, messages * sizeof *keys.key_pointers)}});
}

}  // namespace warpaes::core
