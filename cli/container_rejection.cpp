#include "container_rejection.hpp"

#include <algorithm>

namespace warpaes::cli {

ContainerLayout layout_of(uint64_t container_bytes) {
  if (container_bytes < chunk_offset(0)) return {false, 0, 0};
  const uint64_t whole = (container_bytes - chunk_offset(0)) / kSealedChunkBytes;
  const uint64_t rest = container_bytes - chunk_offset(whole);
  if (rest < kTagBytes) return {false, whole, whole * kChunkBytes};
  return {true, whole + 1, whole * kChunkBytes + rest - kTagBytes};
}

void require_container_length(uint64_t container_bytes) {
  uint64_t plaintext_bytes = 0;
  const Status status = warpaes_container_size(WARPAES_DIRECTION_DECRYPT, container_bytes, &plaintext_bytes);
  if (status == WARPAES_OK) return;
  throw Rejected(status, layout_of(container_bytes).chunks, container_bytes);
}

}  // namespace warpaes::cli
