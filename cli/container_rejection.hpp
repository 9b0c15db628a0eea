// Bytes that are not a container which a key opens, and where things lie in one.
#pragma once

#include <stdexcept>

#include "warpaes/container.hpp"

namespace warpaes::cli {

constexpr uint64_t kChunkBytes = WARPAES_CONTAINER_CHUNK_LENGTH,
                   kSealedChunkBytes = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                   kTagBytes = kSealedChunkBytes - kChunkBytes;

/// Where a chunk begins in a container.
constexpr uint64_t chunk_offset(uint64_t chunk) {
  return WARPAES_CONTAINER_HEADER_LENGTH + chunk * kSealedChunkBytes;
}

/// Chunks of a plaintext: the last one is always shorter than the others, perhaps empty.
constexpr uint64_t chunks_of(uint64_t plaintext_bytes) { return plaintext_bytes / kChunkBytes + 1; }

/// What a container's length says before any key is known.
struct ContainerLayout {
  bool complete;             // false: no container has this length, so something was cut off
  uint64_t chunks;           // whole ones, or if not complete those whose tags are there
  uint64_t plaintext_bytes;  // in these chunks
};
ContainerLayout layout_of(uint64_t container_bytes);

/// Why bytes are not a container that this key opens.
class Rejected : public std::runtime_error {
 public:
  /// The sentence is that of the last call of the library on this thread.
  Rejected(Status status, uint64_t chunk, uint64_t offset)
      : std::runtime_error(warpaes_last_error()), status_(status), chunk_(chunk), offset_(offset) {}

  /// CONTAINER_KEY: another key or context, or a damaged header. TRUNCATED: the end is missing.
  /// TRAILING_DATA: something follows the end. AUTHENTICATION: a chunk's tag is wrong. LENGTH: more than 2^38
  /// chunks.
  Status status() const noexcept { return status_; }
  /// Counted from 0.
  uint64_t chunk() const noexcept { return chunk_; }
  /// In the container: where the chunk, the gap or the excess begins.
  uint64_t offset() const noexcept { return offset_; }

 private:
  Status status_;
  uint64_t chunk_, offset_;
};

/// Throws Rejected if no container has this length.
void require_container_length(uint64_t container_bytes);

}  // namespace warpaes::cli
