// AEAD modes on host memory.
#include <algorithm>
#include <span>
#include <string>

#include "c_api/aead_arguments.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

warpaes_status warpaes_aead_encrypt(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                    size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                    const void* input, void* output, uint64_t bytes, void* tag,
                                    size_t tag_bytes) {
  return guarded([&] {
    aead_host(key_of(key), batch_of(mode, WARPAES_ENCRYPT,
                                    AeadMessage{nonce, nonce_bytes, aad, aad_bytes, input, output, bytes, tag,
                                                tag_bytes, nullptr}));
  });
}

warpaes_status warpaes_aead_decrypt(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                    size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                    const void* input, void* output, uint64_t bytes, const void* tag,
                                    size_t tag_bytes) {
  return guarded([&] {
    int32_t status = WARPAES_ERROR_INTERNAL;
    aead_host(key_of(key), batch_of(mode, WARPAES_DECRYPT,
                                    AeadMessage{nonce, nonce_bytes, aad, aad_bytes, input, output, bytes, tag,
                                                tag_bytes, &status}));
    if (status != WARPAES_OK) {
      throw Failure(static_cast<Status>(status), "the tag is wrong: wrong key or nonce, or damaged data");
    }
  });
}

warpaes_status warpaes_gmac(const warpaes_key* key, const void* nonce, size_t nonce_bytes, const void* input,
                            uint64_t bytes, void* tag, size_t tag_bytes) {
  return warpaes_aead_encrypt(key, WARPAES_AEAD_GCM, nonce, nonce_bytes, input, bytes, nullptr, nullptr, 0,
                              tag, tag_bytes);
}

namespace {

void require_right_tags(const AeadBatch& batch) {
  if (batch.direction == WARPAES_ENCRYPT) return;
  const std::span statuses(batch.statuses, batch.messages);
  const auto is_wrong = [](int32_t status) { return status != WARPAES_OK; };
  const auto first = std::find_if(statuses.begin(), statuses.end(), is_wrong);
  if (first == statuses.end()) return;
  throw Failure(static_cast<Status>(*first), std::to_string(std::count_if(first, statuses.end(), is_wrong)) +
                                                 " of " + std::to_string(statuses.size()) +
                                                 " messages have a wrong tag, the first is number " +
                                                 std::to_string(first - statuses.begin()));
}

}  // namespace

warpaes_status warpaes_aead_batch(const warpaes_key* key, warpaes_aead mode, warpaes_direction direction,
                                  const warpaes_aead_batch_arguments* arguments) {
  return guarded([&] {
    const AeadBatch batch = batch_of(mode, direction, arguments);
    aead_host(key_of(key), batch, mac_key_of(key_of(key), mode, *arguments));
    require_right_tags(batch);
  });
}

warpaes_status warpaes_aead_batch_key_each(warpaes_context* context, const void* keys, size_t key_bytes,
                                           uint64_t key_stride, warpaes_aead mode,
                                           warpaes_direction direction,
                                           const warpaes_aead_batch_arguments* arguments) {
  return guarded([&] {
    require(context, "context");
    const AeadBatch batch = batch_of(mode, direction, arguments);
    require_no_mac_key(*arguments);
    aead_key_each_host(context->context, {bytes_at(keys), key_stride, key_bytes}, batch);
    require_right_tags(batch);
  });
}
