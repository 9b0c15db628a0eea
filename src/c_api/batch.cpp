// Batches in host memory.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "c_api/arguments.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

void require_right_messages(std::span<const int32_t> statuses) {
  const auto is_wrong = [](int32_t status) { return status != WARPAES_OK; };
  const auto first = std::find_if(statuses.begin(), statuses.end(), is_wrong);
  if (first == statuses.end()) return;
  throw Failure(WARPAES_ERROR_BATCH, std::to_string(std::count_if(first, statuses.end(), is_wrong)) + " of " +
                                         std::to_string(statuses.size()) +
                                         " messages failed; the first of them is message " +
                                         std::to_string(first - statuses.begin()) + ", counted from 0: " +
                                         warpaes_status_name(*first) + ", " + warpaes_status_string(*first));
}

struct Free {
  void operator()(int32_t* statuses) const { std::free(statuses); }
};
using OwnStatuses = std::unique_ptr<int32_t[], Free>;

/// For callers that want no statuses. From calloc, which touches none of a large piece: a call whose count is
/// wrong is refused before all that memory is really taken.
OwnStatuses own_statuses(uint64_t count) {
  OwnStatuses made(static_cast<int32_t*>(std::calloc(std::max(count, uint64_t{1}), sizeof(int32_t))));
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_batch* batch) {
  return guarded([&] {
    const warpaes_batch given = read_structure(batch, "batch");
    const Cipher& bound = cipher_of(cipher);
    CheckedBatch checked = checked_batch(bound, direction, given, Place::host);
    const OwnStatuses own = given.statuses == nullptr ? own_statuses(given.count) : nullptr;
    int32_t* const statuses = given.statuses != nullptr ? given.statuses : own.get();
    checked.batch.statuses = statuses;
    // Made before the messages are done: what became of them is told even if there is no memory for a
    // sentence.
    const Failure some_failed(WARPAES_ERROR_BATCH, "at least one message of the batch failed");
    run_batch(bound, checked.keys_or_null(), checked.batch);
    try {
      require_right_messages({statuses, given.count});
    } catch (const std::bad_alloc&) {
      throw some_failed;
    }
  });
}

}  // namespace

warpaes_status warpaes_encrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, batch);
}

warpaes_status warpaes_decrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, batch);
}
