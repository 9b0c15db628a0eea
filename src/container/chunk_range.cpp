#include "container/chunk_range.hpp"

#include <openssl/crypto.h>

#include "container/device_chunks.hpp"
#include "container/rejections.hpp"
#include "modes/gcm_parts.hpp"
#include "pipeline/context_state.hpp"
#include "primitives/host_gf128.hpp"

namespace warpaes::core::cobblestone {
namespace {

using WipedBytes = Wiped<std::vector<uint8_t>>;

/// Chunks of one length: all but the last of a container are.
struct EqualChunks {
  uint64_t first, count;
  size_t bytes;  // of each one's plaintext
  const uint8_t* input;
  uint8_t* output;
  int32_t* statuses;  // one each
};

void run(const FileKey& file_key, Direction direction, const EqualChunks& chunks) {
  if (chunks.count == 0) return;
  WipedBytes nonces(chunks.count * kNonceBytes);
  file_key.nonces(chunks.first, nonces);
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  // Encryption writes the tags, and decryption only reads them.
  uint8_t* const tags = (encrypting ? chunks.output : const_cast<uint8_t*>(chunks.input)) + chunks.bytes;
  batch_host(file_key.key(), {
                                 .direction = direction,
                                 .messages = chunks.count,
                                 .bytes = chunks.bytes,
                                 .input = chunks.input,
                                 .input_stride = encrypting ? kChunkBytes : kSealedChunkBytes,
                                 .output = chunks.output,
                                 .output_stride = encrypting ? kSealedChunkBytes : kChunkBytes,
                                 .host_nonce = nullptr,
                                 .host_nonce_bytes = 0,
                                 .nonces = nonces.data(),
                                 .nonce_stride = kNonceBytes,
                                 .aad = nullptr,
                                 .aad_bytes = 0,
                                 .aad_stride = 0,
                                 .tags = tags,
                                 .tag_stride = kSealedChunkBytes,
                                 .tag_bytes = kTagBytes,
                                 .statuses = chunks.statuses,
                             });
}

/// GCM's tag of a ciphertext C, and GMAC's of C as additional data, are made of the same blocks but for the
/// last one, which has the lengths (SP 800-38D section 7.1 step 5). So they differ by
///
///   (lengths(0, |C|) ^ lengths(|C|, 0)) * H
///
/// and a chunk is genuine if GMAC has its tag with that difference: GHASH alone, and no counter mode.
class TagsOfGmac {
 public:
  TagsOfGmac(const FileKey& file_key, const Engine& cpu, const EqualChunks& chunks)
      : tags(chunks.count * kTagBytes), hash_(gcm_hash_key(cpu, file_key.key().prepared(cpu))) {
    const Gf128 lengths = ghash_lengths(0, chunks.bytes) ^ ghash_lengths(chunks.bytes, 0);
    const Gf128 difference = host_gf128().multiply(lengths, hash_.key);
    for (uint64_t i = 0; i < chunks.count; i++) {
      const Gf128 tag = gf128_from_block(chunks.input + i * kSealedChunkBytes + chunks.bytes);
      gf128_to_block(tag ^ difference, tags.data() + i * kTagBytes);
    }
  }
  ~TagsOfGmac() { OPENSSL_cleanse(&hash_, sizeof hash_); }
  TagsOfGmac(const TagsOfGmac&) = delete;
  TagsOfGmac& operator=(const TagsOfGmac&) = delete;

  WipedBytes tags;  // who knows them, and the chunks, knows H

 private:
  GcmHashKey hash_;
};

void check_on_cpu(const FileKey& file_key, const Engine& cpu, const EqualChunks& chunks) {
  if (chunks.count == 0) return;
  WipedBytes nonces(chunks.count * kNonceBytes);
  file_key.nonces(chunks.first, nonces);
  TagsOfGmac gmac(file_key, cpu, chunks);
  batch_host(file_key.key(), {.mode = WARPAES_MODE_GCM,
                              .direction = WARPAES_DIRECTION_DECRYPT,
                              .messages = chunks.count,
                              .nonces = nonces.data(),
                              .nonce_stride = kNonceBytes,
                              .aad = chunks.input,
                              .aad_bytes = chunks.bytes,
                              .aad_stride = kSealedChunkBytes,
                              .tags = gmac.tags.data(),
                              .tag_stride = kTagBytes,
                              .tag_bytes = kTagBytes,
                              .statuses = chunks.statuses});
}

/// The whole chunks of a range, and its shorter last one.
void run_range(const FileKey& file_key, Direction direction, const ChunkRange& range,
               std::span<int32_t> statuses) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  const size_t from = encrypting ? kChunkBytes : kSealedChunkBytes;
  const size_t to = encrypting ? kSealedChunkBytes : kChunkBytes;
  const uint64_t whole = statuses.size() - (range.ends ? 1 : 0);
  run(file_key, direction, {range.first, whole, kChunkBytes, range.input, range.output, statuses.data()});
  if (!range.ends) return;
  const size_t rest = range.bytes - whole * from;
  run(file_key, direction,
      {range.first + whole, 1, encrypting ? rest : rest - kTagBytes, range.input + whole * from,
       range.output + whole * to, statuses.data() + whole});
}

}  // namespace

uint64_t chunks_in(Direction direction, const ChunkRange& range) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  const size_t each = encrypting ? kChunkBytes : kSealedChunkBytes;
  const uint64_t whole = range.bytes / each, rest = range.bytes % each;
  if (!range.ends && rest != 0) {
    throw Failure(WARPAES_ERROR_LENGTH, std::to_string(range.bytes) + " bytes are no whole chunks of " +
                                            std::to_string(each) +
                                            ": only the range that ends the container has a shorter one");
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
  const uint64_t whole = chunks_in(WARPAES_DIRECTION_DECRYPT, range) - (range.ends ? 1 : 0);
  const uint64_t at = whole * kSealedChunkBytes, rest = range.bytes - at;
  if (const Engine* const cpu = file_key.key().context().state().engine_on(Memory::host)) {
    check_on_cpu(file_key, *cpu, {range.first, whole, kChunkBytes, range.input, nullptr, statuses.data()});
    if (range.ends) {
      check_on_cpu(
          file_key, *cpu,
          {range.first + whole, 1, rest - kTagBytes, range.input + at, nullptr, statuses.data() + whole});
    }
    return;
  }
  open_chunks_on_device(file_key, {range.first, whole, nullptr}, {range.input}, statuses.first(whole));
  ChunkMemory unused;
  if (range.ends) {
    open_chunks(file_key, {range.first + whole, range.input + at, rest, unused.data(), true},
                statuses.subspan(whole));
  }
}

}  // namespace warpaes::core::cobblestone
