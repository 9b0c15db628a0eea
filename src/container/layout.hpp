// Where things lie in a container: pure arithmetic on lengths. A file is
//   salt (24) || commitment (32) || chunk 0 || chunk 1 || …
// chunk k = 16 KiB of ciphertext and its 16-byte tag, at 56 + k * 16400. The last chunk is always
// shorter than 16 KiB, possibly empty: that is how the end is known.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpaes::core::cobblestone {

constexpr size_t kSaltBytes = 24, kCommitmentBytes = 32, kHeaderBytes = kSaltBytes + kCommitmentBytes;
constexpr size_t kChunkBytes = 16384, kTagBytes = 16, kSealedChunkBytes = kChunkBytes + kTagBytes;
constexpr size_t kNonceBytes = 12;

/// The specification's limit: the chunk number takes at most 38 bits of the nonce.
constexpr uint64_t kMaxChunks = uint64_t{1} << 38;
/// All chunks but the last are full, and the last holds at least nothing.
constexpr uint64_t kMaxPlaintextBytes = kMaxChunks * kChunkBytes - 1;

constexpr uint64_t chunk_offset(uint64_t chunk) { return kHeaderBytes + chunk * kSealedChunkBytes; }

constexpr uint64_t chunks_of(uint64_t plaintext_bytes) { return plaintext_bytes / kChunkBytes + 1; }

constexpr uint64_t container_bytes(uint64_t plaintext_bytes) {
  return kHeaderBytes + plaintext_bytes + kTagBytes * chunks_of(plaintext_bytes);
}

/// What a container's length says before any key is known.
struct Layout {
  bool complete;             // false: no container has this length, so something was cut off
  uint64_t chunks;           // whole ones, or if not complete those whose tags are there
  uint64_t plaintext_bytes;  // in these chunks
};

constexpr Layout layout_of(uint64_t length) {
  if (length < kHeaderBytes) return {false, 0, 0};
  const uint64_t full = (length - kHeaderBytes) / kSealedChunkBytes;
  const uint64_t rest = (length - kHeaderBytes) % kSealedChunkBytes;
  if (rest < kTagBytes) return {false, full, full * kChunkBytes};
  return {true, full + 1, full * kChunkBytes + rest - kTagBytes};
}

}  // namespace warpaes::core::cobblestone
