#include "container/chunk_cipher.hpp"

#include <algorithm>

namespace warpaes::core::cobblestone {
namespace {

/// A GPU wants enough chunks at once to fill it, and copies that are long.
constexpr size_t kDeviceBatchChunks = 4096;  // 64 MiB
/// A CPU core wants plaintext and ciphertext to stay in its second-level cache between reading,
/// encrypting and writing.
constexpr size_t kChunksPerThread = 24;  // 384 KiB + 384 KiB

uint64_t expected_in_a_batch(std::optional<uint64_t> expected_chunks) {
  return std::clamp<uint64_t>(expected_chunks.value_or(kDeviceBatchChunks), 1, kDeviceBatchChunks);
}

}  // namespace

const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks) {
  const uint64_t chunks = expected_in_a_batch(expected_chunks);
  return context.engine_for({.bytes = chunks * kChunkBytes, .shares = chunks, .pinned = true});
}

size_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks) {
  const bool on_device = engine_for_chunks(context, expected_chunks).memory == Memory::device;
  const uint64_t best = on_device ? kDeviceBatchChunks : context.threads() * kChunksPerThread;
  return std::clamp<uint64_t>(best, 1, expected_in_a_batch(expected_chunks));
}

ChunkCipher::ChunkCipher(const FileKey& file_key, std::optional<uint64_t> expected_chunks)
    : file_key_(file_key),
      engine_(&engine_for_chunks(file_key.key().context(), expected_chunks)),
      batch_chunks_(chunks_of_a_batch(file_key.key().context(), expected_chunks)),
      plaintext_(file_key.key().context(), batch_chunks_ * kChunkBytes),
      sealed_(file_key.key().context(), batch_chunks_ * kSealedChunkBytes),
      statuses_(batch_chunks_) {}

size_t ChunkCipher::seal(uint64_t first_chunk, size_t bytes, bool last) {
  const ChunkRange range{first_chunk, plaintext_.data(), last ? bytes : bytes / kChunkBytes * kChunkBytes,
                         sealed_.data(), last};
  seal_chunks(file_key_, range);
  return output_bytes(WARPAES_DIRECTION_ENCRYPT, range);
}

ChunkCipher::Opened ChunkCipher::open(uint64_t first_chunk, size_t bytes) {
  const ChunkRange range{first_chunk, sealed_.data(), bytes, plaintext_.data(),
                         bytes % kSealedChunkBytes != 0};
  const auto statuses = std::span(statuses_).first(chunks_in(WARPAES_DIRECTION_DECRYPT, range));
  open_chunks(file_key_, range, statuses);
  const auto failed = std::ranges::find_if(statuses, [](int32_t status) { return status != WARPAES_OK; });
  if (failed == statuses.end()) return {output_bytes(WARPAES_DIRECTION_DECRYPT, range), std::nullopt};
  const auto good = static_cast<size_t>(failed - statuses.begin());
  return {good * kChunkBytes, first_chunk + good};
}

}  // namespace warpaes::core::cobblestone
