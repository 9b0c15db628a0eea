#include "container/chunk_cipher.hpp"

#include <openssl/crypto.h>

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

size_t choose_batch_chunks(const Context& context, const Engine& engine,
                           std::optional<uint64_t> expected_chunks) {
  const uint64_t best =
      engine.memory == Memory::device ? kDeviceBatchChunks : context.threads() * kChunksPerThread;
  return std::clamp<uint64_t>(best, 1, expected_in_a_batch(expected_chunks));
}

}  // namespace

const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks) {
  const uint64_t chunks = expected_in_a_batch(expected_chunks);
  return context.engine_for({.bytes = chunks * kChunkBytes, .shares = chunks, .pinned = true});
}

ChunkCipher::ChunkCipher(const FileKey& file_key, std::optional<uint64_t> expected_chunks)
    : file_key_(file_key),
      engine_(&engine_for_chunks(file_key.key().context(), expected_chunks)),
      batch_chunks_(choose_batch_chunks(file_key.key().context(), *engine_, expected_chunks)),
      plaintext_(file_key.key().context(), batch_chunks_ * kChunkBytes),
      sealed_(file_key.key().context(), batch_chunks_ * kSealedChunkBytes),
      nonces_(batch_chunks_ * kNonceBytes),
      statuses_(batch_chunks_) {}

ChunkCipher::~ChunkCipher() { OPENSSL_cleanse(nonces_.data(), nonces_.size()); }

size_t ChunkCipher::seal(uint64_t first_chunk, size_t bytes, bool last) {
  const size_t full = bytes / kChunkBytes, rest = bytes % kChunkBytes;
  run(WARPAES_DIRECTION_ENCRYPT, first_chunk, 0, full, kChunkBytes);
  if (!last) return full * kSealedChunkBytes;
  // The rest needs room for one more chunk than is left after a batch of full ones: the caller knows
  // the end only when a batch is not full.
  run(WARPAES_DIRECTION_ENCRYPT, first_chunk + full, full, 1, rest);
  return full * kSealedChunkBytes + rest + kTagBytes;
}

ChunkCipher::Opened ChunkCipher::open(uint64_t first_chunk, size_t bytes) {
  const size_t full = bytes / kSealedChunkBytes, rest = bytes % kSealedChunkBytes;
  run(WARPAES_DIRECTION_DECRYPT, first_chunk, 0, full, kChunkBytes);
  if (rest != 0) run(WARPAES_DIRECTION_DECRYPT, first_chunk + full, full, 1, rest - kTagBytes);

  const auto end = statuses_.begin() + static_cast<ptrdiff_t>(full + (rest != 0));
  const auto failed =
      std::find_if(statuses_.begin(), end, [](int32_t status) { return status != WARPAES_OK; });
  const auto good = static_cast<size_t>(failed - statuses_.begin());
  if (failed != end) return {good * kChunkBytes, first_chunk + good};
  return {full * kChunkBytes + (rest != 0 ? rest - kTagBytes : 0), std::nullopt};
}

std::optional<size_t> ChunkCipher::shorter_last_chunk(uint64_t chunk, std::span<const uint8_t> sealed_chunk) {
  const std::vector<uint8_t> copy(sealed_chunk.begin(), sealed_chunk.end());
  for (size_t length = kTagBytes; length < copy.size(); length++) {
    std::copy_n(copy.begin(), length, sealed().begin());
    run(WARPAES_DIRECTION_DECRYPT, chunk, 0, 1, length - kTagBytes);
    if (statuses_[0] == WARPAES_OK) return length;
  }
  return std::nullopt;
}

/// One engine call: `messages` chunks of `bytes` bytes, the first at place `at` of the batch.
void ChunkCipher::run(Direction direction, uint64_t first_chunk, size_t at, uint64_t messages, size_t bytes) {
  if (messages == 0) return;
  const std::span<uint8_t> nonces = std::span(nonces_).first(messages * kNonceBytes);
  file_key_.nonces(first_chunk, nonces);
  uint8_t* const plaintext = plaintext_.data() + at * kChunkBytes;
  uint8_t* const sealed = sealed_.data() + at * kSealedChunkBytes;
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  batch_host(file_key_.key(), {
                                  .direction = direction,
                                  .messages = messages,
                                  .bytes = bytes,
                                  .input = encrypting ? plaintext : sealed,
                                  .input_stride = encrypting ? kChunkBytes : kSealedChunkBytes,
                                  .output = encrypting ? sealed : plaintext,
                                  .output_stride = encrypting ? kSealedChunkBytes : kChunkBytes,
                                  .host_nonce = nullptr,
                                  .host_nonce_bytes = 0,
                                  .nonces = nonces.data(),
                                  .nonce_stride = kNonceBytes,
                                  .aad = nullptr,
                                  .aad_bytes = 0,
                                  .aad_stride = 0,
                                  .tags = sealed + bytes,
                                  .tag_stride = kSealedChunkBytes,
                                  .tag_bytes = kTagBytes,
                                  .statuses = statuses_.data() + at,
                              });
}

}  // namespace warpaes::core::cobblestone
