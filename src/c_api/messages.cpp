// Messages and batches. Calls on device memory check, launch and return.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "c_api/arguments.hpp"
#include "modes/batch.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_message* message) {
  return guarded_quickly([&] {
    const warpaes_message given = read_structure(message, "message");
    const auto tell = [&](uint64_t length) {
      if (given.output_length != nullptr) *given.output_length = length;
    };
    bool checked = cipher == nullptr;  // then no memory is worked on
    try {
      const Cipher& bound = cipher_of(cipher);
      const Message right = checked_message(bound, direction, given, Place::host);
      checked = true;
      tell(run_message_on_host(bound, right));
    } catch (...) {
      if (checked || output_length_is_apart(cipher->cipher, direction, given)) tell(0);
      throw;
    }
  });
}

void require_right_messages(std::span<const int32_t> statuses) {
  const auto is_wrong = [](int32_t status) { return status != WARPAES_OK; };
  const auto first = std::find_if(statuses.begin(), statuses.end(), is_wrong);
  if (first == statuses.end()) return;
  throw Failure(WARPAES_ERROR_BATCH,
                "{} of {} messages failed; the first of them is message {}, counted from 0: {}, {}",
                std::count_if(first, statuses.end(), is_wrong), statuses.size(), first - statuses.begin(),
                warpaes_status_name(*first), warpaes_status_string(*first));
}

struct Free {
  void operator()(int32_t* statuses) const { std::free(statuses); }
};
using OwnStatuses = std::unique_ptr<int32_t[], Free>;

/// Makes statuses for callers that want none. A batch that is wrong is refused before they take memory.
OwnStatuses own_statuses(const CheckedBatch& checked) {
  require_valid_batch_but_statuses(checked.keys_or_null(), checked.batch);
  const uint64_t count = std::max(checked.batch.messages, uint64_t{1});
  OwnStatuses made(static_cast<int32_t*>(std::calloc(count, sizeof(int32_t))));
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_batch* batch) {
  return guarded([&] {
    const warpaes_batch given = read_structure(batch, "batch");
    const Cipher& bound = cipher_of(cipher);
    CheckedBatch checked = checked_batch(bound, direction, given, Place::host);
    const OwnStatuses own = given.statuses == nullptr ? own_statuses(checked) : nullptr;
    int32_t* const statuses = given.statuses != nullptr ? given.statuses : own.get();
    checked.batch.statuses = statuses;
    // Made before the messages are done: what became of them is told even if there is no memory for a
    // sentence.
    const Failure some_failed(WARPAES_ERROR_BATCH, "at least one message of the batch failed");
    run_batch_on_host(bound, checked.keys_or_null(), checked.batch);
    try {
      require_right_messages({statuses, given.count});
    } catch (const std::bad_alloc&) {
      throw some_failed;
    }
  });
}

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
    run_message_on_device(call, checked_message(bound, direction, given, Place::device));
  });
}

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_batch* batch,
                   const Where& where) {
  return guarded([&] {
    const warpaes_batch given = read_structure(batch, "batch");
    const Cipher& bound = cipher_of(cipher);
    const DeviceCall call = where.call_of(bound);
    const CheckedBatch checked = checked_batch(bound, direction, given, Place::device);
    run_batch_on_device(call, checked.keys_or_null(), checked.batch);
  });
}

}  // namespace

warpaes_status warpaes_encrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, message);
}

warpaes_status warpaes_decrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, message);
}

warpaes_status warpaes_encrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, batch);
}

warpaes_status warpaes_decrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, batch);
}

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
