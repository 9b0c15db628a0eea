// Batches in host memory.
#include <algorithm>
#include <string>
#include <vector>

#include "c_api/arguments.hpp"
#include "modes/regions.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

/// Cipher batches write theirs themselves.
void require_valid_lengths(const warpaes_batch& given, const AeadBatch& batch) {
  if (given.output_lengths == nullptr) return;
  const Region lengths{"the output lengths", given.output_lengths, given.count, sizeof(uint64_t),
                       sizeof(uint64_t)};
  require_valid(lengths);
  require_aligned(lengths);
  const auto rows = [&](const void* data) { return data == nullptr ? 0 : given.count; };
  for (const Region& other :
       {source_region("the input", batch.input, rows(batch.input), batch.input_stride, batch.bytes),
        Region{"the output", batch.output, rows(batch.output), batch.output_stride, batch.bytes},
        Region{"the tags", batch.tags, rows(batch.tags), batch.tag_stride, batch.tag_bytes},
        Region{"the statuses", given.statuses, rows(given.statuses), sizeof(int32_t), sizeof(int32_t)},
        Region{"the lengths", given.lengths, rows(given.lengths), sizeof(uint64_t), sizeof(uint64_t)}}) {
    require_disjoint(lengths, other);
  }
}

void tell_lengths(const warpaes_batch& given, const AeadBatch& batch) {
  if (given.output_lengths == nullptr) return;
  for (uint64_t m = 0; m < batch.messages; m++) {
    const uint64_t length = batch.lengths != nullptr ? batch.lengths[m] : batch.bytes;
    given.output_lengths[m] = batch.statuses[m] == WARPAES_OK ? length : 0;
  }
}

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

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_batch* batch) {
  return guarded([&] {
    const warpaes_batch given = read_structure(batch, "batch");
    const Cipher& bound = cipher_of(cipher);
    Batch checked = checked_batch(bound, direction, given, Place::host);
    const KeyArray* const keys = checked.keys ? &*checked.keys : nullptr;
    std::vector<int32_t> own;
    if (given.statuses == nullptr) own.resize(given.count);
    int32_t* const statuses = given.statuses != nullptr ? given.statuses : own.data();
    if (checked.is_aead) {
      require_valid_lengths(given, checked.aead);
      checked.aead.statuses = statuses;
      run_batch(bound, keys, checked.aead);
      tell_lengths(given, checked.aead);
    } else {
      checked.cipher.statuses = statuses;
      run_batch(bound, keys, direction, checked.cipher);
    }
    require_right_messages({statuses, given.count});
  });
}

}  // namespace

warpaes_status warpaes_encrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, batch);
}

warpaes_status warpaes_decrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, batch);
}
