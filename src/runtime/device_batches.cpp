// Batches on device memory. These functions check, launch and return.
#include <algorithm>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "runtime/device_memory.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

/// Where each message has a length of its own, one that the mode has no message of is that message's fault,
/// and kernels look at no other limit than the batch's.
Batch with_limit_of_mode(Batch batch) {
  if (batch.lengths != nullptr) {
    const ModeRow& mode = mode_row(batch.mode);
    batch.bytes = std::min(batch.bytes, mode.lengths(batch.direction).most);
  }
  return batch;
}

void run_key_each(const DeviceCall& call, const KeyArray& keys, const Batch& batch) {
  const int device = call.cipher.context().device();
  require_valid_batch_key_each(keys, batch);
  require_takes_batch_key_each(call.engine, batch);
  require_on_device(device, keys, batch.messages);
  require_on_device(device, batch);
  run_batch_key_each(call.engine, device, keys, batch, call.stream);
}

}  // namespace

void run_batch(const DeviceCall& call, const KeyArray* keys, const Batch& given) {
  const Batch batch = with_limit_of_mode(given);
  if (keys != nullptr) return run_key_each(call, *keys, batch);
  const Cipher& cipher = call.cipher;
  const BatchKey key = cipher.batch_key(call.engine);
  require_valid_batch(batch);
  require_takes_batch(call.engine, batch);
  require_on_device(cipher.context().device(), batch);
  // What is stored there takes the workspace, for which the batch then has no use.
  const bool is_taken = !call.stored.empty();
  void* const workspace = is_taken || !cipher.row().is_aead ? nullptr : call.workspace;
  const size_t workspace_bytes = workspace == nullptr ? 0 : call.workspace_bytes;
  require_on_device(cipher.context().device(), {{"workspace", workspace, workspace_bytes}});
  store(call);
  run_batch(call.engine, key, batch, workspace, workspace_bytes, call.stream);
}

}  // namespace warpaes::core
