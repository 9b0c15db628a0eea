#include "runtime/device_memory.hpp"

#include <fmt/format.h>

#include "device/device.hpp"
#include "failure.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {
namespace {

/// What a batch has for all of its messages, if it is given: bytes of one of them, or an array of entries.
DevicePointer piece(const char* name, const void* data, uint64_t bytes) {
  return {name, data, data == nullptr ? 0 : bytes};
}
DevicePointer array(const char* name, const auto* entries, uint64_t messages) {
  return piece(name, entries, messages * sizeof *entries);
}

}  // namespace

void require_on_device(int device, std::initializer_list<DevicePointer> pointers) {
  for (const DevicePointer& each : pointers) {
    if (each.bytes == 0) continue;
    const Status status = device_pointer_status(each.pointer, device);
    if (status == WARPAES_OK || (each.may_be_page_locked && is_pinned(each.pointer, each.bytes))) continue;
    throw Failure(status, fmt::format("{} is not in the memory of device {}: allocate it there, or use the "
                                      "call for host memory",
                                      each.name, device));
  }
}

void require_on_device(int device, const Batch& batch) {
  const uint64_t count = batch.messages;
  if (count == 0) return;
  const ModeRow& mode = mode_row(batch.mode);
  DevicePointer statuses = array("statuses", batch.statuses, count);
  statuses.may_be_page_locked = true;
  require_on_device(
      device, {piece("input", batch.input, batch.bytes),
               piece("output", batch.output, mode.lengths(batch.direction).output(batch.bytes)),
               piece(mode.is_aead ? "nonces" : "IVs", batch.nonces, batch.nonce_bytes),
               piece("aad", batch.aad, batch.aad_bytes), piece("tags", batch.tags, count),
               array("lengths", batch.lengths, count), array("inputs", batch.inputs, count),
               array("outputs", batch.outputs, count),
               array(mode.is_aead ? "nonces' pointers" : "IVs' pointers", batch.nonce_pointers, count),
               array("aad's pointers", batch.aads, count), array("aad_lengths", batch.aad_lengths, count),
               array("tags' pointers", batch.tag_pointers, count), statuses,
               array("output_lengths", batch.output_lengths, count)});
}

void require_on_device(int device, const KeyArray& keys, uint64_t messages) {
  require_on_device(
      device, {piece("keys", keys.keys, messages), array("keys' pointers", keys.key_pointers, messages)});
}

}  // namespace warpaes::core
