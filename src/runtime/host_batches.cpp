// Batches on host memory.
#include <openssl/crypto.h>

#include <algorithm>
#include <vector>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

void make(const Cipher& cipher, const KeyArray* keys, const Batch& batch) {
  if (keys != nullptr) {
    batch_key_each_host(cipher.context(), *keys, batch);
  } else {
    batch_host(cipher.key(), batch, cipher.second_key());
  }
}

/// Makes the right tags and compares them. Whoever finds the tag that a forgery should have had can forge, so
/// they are wiped.
void check_macs(const Cipher& cipher, const KeyArray* keys, const Batch& batch) {
  require_valid_batch(batch);  // before memory is taken for a number of messages that cannot be
  struct Tags : std::vector<uint8_t> {
    using std::vector<uint8_t>::vector;
    ~Tags() { OPENSSL_cleanse(data(), size()); }
  } tags(batch.messages * batch.tag_bytes);
  Batch making = batch;
  making.tags = tags.data();
  making.tag_stride = batch.tag_bytes;
  making.tag_pointers = nullptr;
  make(cipher, keys, making);
  for (uint64_t m = 0; m < batch.messages; m++) {
    const BatchMessage message = message_of(batch, m);
    if (message.status != WARPAES_OK) batch.statuses[m] = message.status;
    if (batch.statuses[m] != WARPAES_OK) continue;
    if (CRYPTO_memcmp(message.tag, tags.data() + m * batch.tag_bytes, batch.tag_bytes) != 0) {
      batch.statuses[m] = WARPAES_ERROR_AUTHENTICATION;
    }
  }
}

}  // namespace

void run_batch(const Cipher& cipher, const KeyArray* keys, const Batch& batch) {
  const bool checks = batch.mode == WARPAES_MODE_CMAC && batch.direction == WARPAES_DIRECTION_DECRYPT;
  (checks ? check_macs : make)(cipher, keys, batch);
}

}  // namespace warpaes::core
