// The container: C2SP chunked-encryption, "Cobblestone" (docs/container.md). A file is
//   salt (24) || commitment (32) || chunks
// chunk k = 16 KiB of plaintext under AES-GCM with nonce = base nonce XOR k and no AAD, and its 16-byte
// tag. The last chunk is always shorter than 16 KiB, possibly empty.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pipeline/context.hpp"

namespace warpaes::cobblestone {

constexpr size_t kSaltBytes = 24, kCommitmentBytes = 32, kHeaderBytes = kSaltBytes + kCommitmentBytes;
constexpr size_t kChunkBytes = 16384, kTagBytes = 16, kSealedChunkBytes = kChunkBytes + kTagBytes;
constexpr size_t kNonceBytes = 12;
constexpr uint64_t kMaxChunks = uint64_t{1} << 38;

using Header = std::array<uint8_t, kHeaderBytes>;

enum class Verdict { right, wrong_key, damaged, truncated, too_long };

}  // namespace warpaes::cobblestone
