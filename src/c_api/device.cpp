// Messages and batches in device memory: the calls check, launch and return.
#include "c_api/arguments.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

/// What device calls have in common.
struct Where {
  void* workspace;
  size_t workspace_size;
  warpaes_stream stream;

  DeviceCall call_of(const Cipher& cipher) const {
    const size_t bytes = workspace == nullptr ? 0 : workspace_size;
    return {cipher, cipher.context().device_engine(), bytes_at(workspace), bytes, stream};
  }
};

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_message* message,
                   const Where& where) {
  return guarded([&] {
    const warpaes_message given = read_structure(message, "message");
    const Cipher& bound = cipher_of(cipher);
    const DeviceCall call = where.call_of(bound);
    run_message(call, checked_message(bound, direction, given, Place::device));
  });
}

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_batch* batch,
                   const Where& where) {
  return guarded([&] {
    const warpaes_batch given = read_structure(batch, "batch");
    const Cipher& bound = cipher_of(cipher);
    const DeviceCall call = where.call_of(bound);
    const CheckedBatch checked = checked_batch(bound, direction, given, Place::device);
    run_batch(call, checked.keys_or_null(), checked.batch);
  });
}

}  // namespace

warpaes_status warpaes_workspace_size(const warpaes_cipher* cipher, warpaes_direction direction,
                                      uint64_t count, uint64_t length, size_t* workspace_size) {
  return guarded_into(workspace_size, "workspace_size", [&] {
    const Cipher& bound = cipher_of(cipher);
    require_direction(direction);
    return workspace_bytes(bound, bound.context().device_engine(), direction, count, length);
  });
}

warpaes_status warpaes_encrypt_device(const warpaes_cipher* cipher, const warpaes_message* message,
                                      void* workspace, size_t workspace_size, warpaes_stream stream) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, message, {workspace, workspace_size, stream});
}

warpaes_status warpaes_decrypt_device(const warpaes_cipher* cipher, const warpaes_message* message,
                                      void* workspace, size_t workspace_size, warpaes_stream stream) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, message, {workspace, workspace_size, stream});
}

warpaes_status warpaes_encrypt_batch_device(const warpaes_cipher* cipher, const warpaes_batch* batch,
                                            void* workspace, size_t workspace_size, warpaes_stream stream) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, batch, {workspace, workspace_size, stream});
}

warpaes_status warpaes_decrypt_batch_device(const warpaes_cipher* cipher, const warpaes_batch* batch,
                                            void* workspace, size_t workspace_size, warpaes_stream stream) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, batch, {workspace, workspace_size, stream});
}
