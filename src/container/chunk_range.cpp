#include "container/chunk_range.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "container/device_chunks.hpp"
#include "container/rejections.hpp"
#include "modes/gcm_parts.hpp"
#include "pipeline/context_state.hpp"
#include "primitives/host_gf128.hpp"

namespace warpaes::core::cobblestone {
namespace {

using WipedBytes = Wiped<std::vector<uint8_t>>;

/// A GPU wants enough chunks at once to fill it, and copies that are long.
constexpr uint64_t kDeviceBatchChunks = 4096;  // 64 MiB
/// A CPU core wants plaintext and ciphertext to stay in its second-level cache between reading,
/// encrypting and writing.
constexpr uint64_t kChunksPerThread = 24;  // 384 KiB + 384 KiB

uint64_t expected_in_a_batch(std::optional<uint64_t> expected_chunks) {
  return std::clamp<uint64_t>(expected_chunks.value_or(kDeviceBatchChunks), 1, kDeviceBatchChunks);
}

/// Chunks of one length: all but the last of a container are.
struct EqualChunks {
  uint64_t first, count;
  size_t bytes;  // of each one's plaintext
  const uint8_t* input;
  uint64_t output_at;  // where their output begins in that of their range
  int32_t* statuses;   // one each
};

/// Does a batch of GCM with the nonces of consecutive chunks.
void run_batch(const FileKey& file_key, uint64_t first, Batch batch) {
  WipedBytes nonces(batch.messages * kNonceBytes);
  file_key.nonces(first, nonces);
  batch.nonces = nonces.data();
  batch.nonce_stride = kNonceBytes;
  batch.tag_bytes = kTagBytes;
  batch_host(file_key.key(), batch);
}

void run(const FileKey& file_key, Direction direction, const EqualChunks& chunks, uint8_t* output) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  // Encryption writes the tags, and decryption only reads them.
  uint8_t* const tags = (encrypting ? output : const_cast<uint8_t*>(chunks.input)) + chunks.bytes;
  run_batch(file_key, chunks.first,
            {.direction = direction,
             .messages = chunks.count,
             .bytes = chunks.bytes,
             .input = chunks.input,
             .input_stride = encrypting ? kChunkBytes : kSealedChunkBytes,
             .output = output,
             .output_stride = encrypting ? kSealedChunkBytes : kChunkBytes,
             .tags = tags,
             .tag_stride = kSealedChunkBytes,
             .statuses = chunks.statuses});
}

/// GCM's tag of a ciphertext C, and GMAC's of C as additional data, are made of the same blocks but for the
/// last one, which has the lengths (SP 800-38D section 7.1 step 5). So they differ by
///
///   (lengths(0, |C|) ^ lengths(|C|, 0)) * H
///
/// and a chunk is genuine if GMAC has its tag with that difference: GHASH alone, and no counter mode.
void make_tags_of_gmac(const FileKey& file_key, const Engine& cpu, const EqualChunks& chunks, uint8_t* tags) {
  GcmHashKey hash = gcm_hash_key(cpu, file_key.key().prepared(cpu));
  const Gf128 lengths = ghash_lengths(0, chunks.bytes) ^ ghash_lengths(chunks.bytes, 0);
  const SecretGf128 difference(host_gf128().multiply(lengths, hash.key));
  OPENSSL_cleanse(&hash, sizeof hash);
  for (uint64_t i = 0; i < chunks.count; i++) {
    const Gf128 tag = gf128_from_block(chunks.input + i * kSealedChunkBytes + chunks.bytes);
    gf128_to_block(tag ^ difference, tags + i * kTagBytes);
  }
}

void check_on_cpu(const FileKey& file_key, const Engine& cpu, const EqualChunks& chunks) {
  WipedBytes tags(chunks.count * kTagBytes);  // who knows them, and the chunks, knows H
  make_tags_of_gmac(file_key, cpu, chunks, tags.data());
  run_batch(file_key, chunks.first,
            {.direction = WARPAES_DIRECTION_DECRYPT,
             .messages = chunks.count,
             .aad = chunks.input,
             .aad_bytes = chunks.bytes,
             .aad_stride = kSealedChunkBytes,
             .tags = tags.data(),
             .tag_stride = kTagBytes,
             .statuses = chunks.statuses});
}

/// Calls work(EqualChunks) for the whole chunks of a range, and for its shorter last one.
/// @param statuses one for each chunk
void for_equal_chunks(Direction direction, const ChunkRange& range, std::span<int32_t> statuses,
                      const auto& work) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  const size_t from = encrypting ? kChunkBytes : kSealedChunkBytes;
  const size_t to = encrypting ? kSealedChunkBytes : kChunkBytes;
  const uint64_t whole = statuses.size() - (range.ends ? 1 : 0);
  if (whole != 0) work(EqualChunks{range.first, whole, kChunkBytes, range.input, 0, statuses.data()});
  if (!range.ends) return;
  const size_t rest = range.bytes - whole * from;
  work(EqualChunks{range.first + whole, 1, encrypting ? rest : rest - kTagBytes, range.input + whole * from,
                   whole * to, statuses.data() + whole});
}

void run_range(const FileKey& file_key, Direction direction, const ChunkRange& range,
               std::span<int32_t> statuses) {
  for_equal_chunks(direction, range, statuses, [&](const EqualChunks& chunks) {
    run(file_key, direction, chunks, range.output + chunks.output_at);
  });
}

}  // namespace

uint64_t chunks_in(Direction direction, const ChunkRange& range) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  const size_t each = encrypting ? kChunkBytes : kSealedChunkBytes;
  const uint64_t whole = range.bytes / each, rest = range.bytes % each;
  if (!range.ends && rest != 0) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "{} bytes are no whole chunks of {}: only the range that ends the container has a "
                  "shorter one",
                  range.bytes, each);
  }
  const uint64_t chunks = whole + (range.ends ? 1 : 0);
  if (chunks > kMaxChunks || range.first > kMaxChunks - chunks) {
    throw Failure(WARPAES_ERROR_LENGTH, "a container has at most 2^38 chunks of 16 KiB");
  }
  if (!encrypting && range.ends && rest < kTagBytes) {
    throw reject_truncated(chunk_offset(range.first) + range.bytes);
  }
  return chunks;
}

uint64_t output_bytes(Direction direction, const ChunkRange& range) {
  const uint64_t tags = chunks_in(direction, range) * kTagBytes;
  return direction == WARPAES_DIRECTION_ENCRYPT ? range.bytes + tags : range.bytes - tags;
}

void seal_chunks(const FileKey& file_key, const ChunkRange& range) {
  std::vector<int32_t> statuses(chunks_in(WARPAES_DIRECTION_ENCRYPT, range));
  run_range(file_key, WARPAES_DIRECTION_ENCRYPT, range, statuses);
}

void open_chunks(const FileKey& file_key, const ChunkRange& range, std::span<int32_t> statuses) {
  run_range(file_key, WARPAES_DIRECTION_DECRYPT, range,
            statuses.first(chunks_in(WARPAES_DIRECTION_DECRYPT, range)));
}

void check_chunks(const FileKey& file_key, const ChunkRange& range, std::span<int32_t> statuses) {
  statuses = statuses.first(chunks_in(WARPAES_DIRECTION_DECRYPT, range));
  if (const Engine* const cpu = file_key.key().context().state().engine_on(Memory::host)) {
    return for_equal_chunks(WARPAES_DIRECTION_DECRYPT, range, statuses,
                            [&](const EqualChunks& chunks) { check_on_cpu(file_key, *cpu, chunks); });
  }
  const uint64_t whole = statuses.size() - (range.ends ? 1 : 0), at = whole * kSealedChunkBytes;
  open_chunks_on_device(file_key, {range.first, whole, nullptr}, {range.input}, statuses.first(whole));
  ChunkMemory unused;
  if (range.ends) {
    open_chunks(file_key, {range.first + whole, range.input + at, range.bytes - at, unused.data(), true},
                statuses.subspan(whole));
  }
}

const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks) {
  const uint64_t chunks = expected_in_a_batch(expected_chunks);
  return context.engine_for(
      {.bytes = chunks * kChunkBytes, .shares = chunks, .pinned = true, .kind = WorkKind::gcm});
}

uint64_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks) {
  const bool on_device = engine_for_chunks(context, expected_chunks).memory == Memory::device;
  const uint64_t best = on_device ? kDeviceBatchChunks : context.threads() * kChunksPerThread;
  return std::clamp<uint64_t>(best, 1, expected_in_a_batch(expected_chunks));
}

}  // namespace warpaes::core::cobblestone
