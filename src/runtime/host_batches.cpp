// Batches on host memory.
#include "runtime/messages.hpp"

namespace warpaes::core {

void run_batch(const Cipher& cipher, const KeyArray* keys, const Batch& batch) {
  if (keys != nullptr) return batch_key_each_host(cipher.context(), *keys, batch);
  batch_host(cipher.key(), batch, cipher.second_key());
}

}  // namespace warpaes::core
