#include "c_api/cipher_batch_checks.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "c_api/device_memory.hpp"

namespace warpaes::c_api {

void require_right_messages(const CipherBatch& batch) {
  if (batch.statuses == nullptr) return;
  const std::span statuses(batch.statuses, batch.messages);
  const auto is_wrong = [](int32_t status) { return status != WARPAES_OK; };
  const auto first = std::find_if(statuses.begin(), statuses.end(), is_wrong);
  if (first == statuses.end()) return;
  const bool of_data = *first == WARPAES_ERROR_AUTHENTICATION || *first == WARPAES_ERROR_PADDING;
  throw Failure(static_cast<Status>(*first), std::to_string(std::count_if(first, statuses.end(), is_wrong)) +
                                                 " of " + std::to_string(statuses.size()) +
                                                 " messages were " + (of_data ? "refused" : "left alone") +
                                                 ", the first is number " +
                                                 std::to_string(first - statuses.begin()) + ": " +
                                                 warpaes_status_string(static_cast<Status>(*first)));
}

void require_batch_on_device(int device, const CipherBatch& batch) {
  const uint64_t any = batch.messages;
  const auto if_used = [any](const void* pointer) { return pointer == nullptr ? 0 : any; };
  require_on_device(device, {{"input", batch.input, batch.inputs ? 0 : any * batch.bytes},
                             {"output", batch.output, batch.outputs ? 0 : if_used(batch.output)},
                             {"ivs", batch.ivs, if_used(batch.ivs)},
                             {"tags", batch.tags, if_used(batch.tags)},
                             {"statuses", batch.statuses, if_used(batch.statuses)},
                             {"lengths", batch.lengths, if_used(batch.lengths)},
                             {"inputs", batch.inputs, if_used(batch.inputs)},
                             {"outputs", batch.outputs, if_used(batch.outputs)},
                             {"output_lengths", batch.output_lengths, if_used(batch.output_lengths)}});
}

void key_each_on_device(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch,
                        Stream stream) {
  require_valid_cipher_key_each(keys, batch);
  require_cipher_key_each(engine, batch.mode);
  require_on_device(device, {{"keys", keys.keys, batch.messages == 0 ? 0 : keys.bytes}});
  require_batch_on_device(device, batch);
  cipher_key_each(engine, device, keys, batch, stream);
}

}  // namespace warpaes::c_api
