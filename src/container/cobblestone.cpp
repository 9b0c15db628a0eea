#include "container/cobblestone.hpp"

#include <algorithm>

#include "container/opening.hpp"

namespace warpaes::core::cobblestone {

void refuse_beyond_limit(uint64_t plaintext_bytes) {
  if (plaintext_bytes > kMaxPlaintextBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "a container holds at most 2^52 - 1 bytes (2^38 chunks of 16 KiB)");
  }
}

void derive_file_key(std::optional<FileKey>& file_key, Context& context, const InputKey& input_key,
                     std::span<const uint8_t, kHeaderBytes> header) {
  Salt salt;
  std::ranges::copy(header.first<kSaltBytes>(), salt.begin());
  file_key.emplace(context, input_key, salt);
  if (!file_key->matches(header.last<kCommitmentBytes>())) throw reject_wrong_key();
}

uint64_t encrypt(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress, OutputCheck check) {
  return encrypt_with_salt(context, input_key, random_salt(), from, to, progress, check);
}

uint64_t encrypt_with_salt(Context& context, const InputKey& input_key, const Salt& salt, ByteSource& from,
                           ByteSink& to, const Progress& progress, OutputCheck check) {
  std::optional<uint64_t> expected_chunks;
  if (from.size()) {
    refuse_beyond_limit(*from.size());
    expected_chunks = chunks_of(*from.size());
  }
  const FileKey file_key(context, input_key, salt);
  ChunkCipher cipher(file_key, expected_chunks);
  OutputChecker checker(check, cipher.engine(), input_key, salt);
  to.write(file_key.salt());
  to.write(file_key.commitment());

  uint64_t done = 0;
  for (bool last = false; !last;) {
    const std::span<uint8_t> batch = cipher.plaintext();
    const size_t bytes = from.read(batch);
    last = bytes < batch.size();
    refuse_beyond_limit(done + bytes);
    const uint64_t chunk = done / kChunkBytes;
    const auto sealed = cipher.sealed().first(cipher.seal(chunk, bytes, last));
    checker.check(chunk, batch.first(bytes), sealed);
    to.write(sealed);
    done += bytes;
    progress(done);
  }
  return done;
}

uint64_t decrypt(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress) {
  std::array<uint8_t, kHeaderBytes> header;
  const size_t header_bytes = from.read(header);
  if (header_bytes < header.size()) throw reject_truncated(header_bytes);
  std::optional<FileKey> file_key;
  derive_file_key(file_key, context, input_key, header);

  const std::optional<uint64_t> length = from.size();
  if (length && !layout_of(*length).complete) throw reject_truncated(*length);
  ChunkCipher cipher(*file_key, length ? std::optional(layout_of(*length).chunks) : std::nullopt);

  uint64_t chunk = 0, done = 0;
  for (bool last = false; !last;) {
    const std::span<uint8_t> batch = cipher.sealed();
    const size_t bytes = from.read(batch);
    last = bytes < batch.size();
    const size_t unfinished = bytes % kSealedChunkBytes;
    const bool cut = last && unfinished < kTagBytes;

    const auto opened = cipher.open(chunk, cut ? bytes - unfinished : bytes);
    to.write(cipher.plaintext().first(opened.plaintext_bytes));
    if (opened.failed_chunk) {
      const size_t at = (*opened.failed_chunk - chunk) * kSealedChunkBytes;
      const auto failed = batch.subspan(at, std::min(kSealedChunkBytes, bytes - at));
      throw diagnose(*file_key, *opened.failed_chunk, failed, length);
    }
    if (cut) throw reject_truncated(chunk_offset(chunk) + bytes);
    chunk += bytes / kSealedChunkBytes;
    if (chunk >= kMaxChunks) throw reject_too_long();
    done += opened.plaintext_bytes;
    progress(done);
  }
  return done;
}

Reader::Reader(Context& context, const InputKey& input_key, const RandomAccessSource& from)
    : from_(from), layout_(layout_of(from.size())) {
  std::array<uint8_t, kHeaderBytes> header;
  const size_t header_bytes = from.read_at(0, header);
  if (header_bytes < header.size()) throw reject_truncated(header_bytes);
  derive_file_key(file_key_, context, input_key, header);
  if (!layout_.complete) throw reject_truncated(from.size());
  if (layout_.chunks > kMaxChunks) throw reject_too_long();
  cipher_.emplace(*file_key_, layout_.chunks);

  const uint64_t last_chunk = layout_.chunks - 1;
  if (open_chunks(last_chunk, 1).failed_chunk) {
    const auto sealed = cipher_->sealed().first(sealed_bytes(last_chunk, 1));
    throw diagnose(*file_key_, last_chunk, sealed, from.size());
  }
}

size_t Reader::read(uint64_t offset, std::span<uint8_t> into) {
  if (offset >= size()) return 0;
  const size_t wanted = std::min<uint64_t>(into.size(), size() - offset);
  const uint64_t batch_chunks = cipher_->plaintext().size() / kChunkBytes;
  for (size_t done = 0; done < wanted;) {
    const uint64_t at = offset + done;
    const uint64_t first_chunk = at / kChunkBytes;
    const uint64_t last_chunk = (offset + wanted - 1) / kChunkBytes;
    const size_t skip = at % kChunkBytes;
    const uint64_t chunks = std::min(batch_chunks, last_chunk - first_chunk + 1);
    const auto opened = open_chunks(first_chunk, chunks);
    if (opened.failed_chunk) {
      throw reject_damaged(*opened.failed_chunk, sealed_bytes(*opened.failed_chunk, 1));
    }
    const auto piece = cipher_->plaintext().first(opened.plaintext_bytes).subspan(skip);
    const size_t taken = std::min(piece.size(), wanted - done);
    std::ranges::copy(piece.first(taken), into.begin() + static_cast<ptrdiff_t>(done));
    done += taken;
  }
  return wanted;
}

/// Bytes that these chunks take in the container; only its last one is short.
size_t Reader::sealed_bytes(uint64_t first_chunk, uint64_t chunks) const {
  return std::min<uint64_t>(chunks * kSealedChunkBytes, from_.size() - chunk_offset(first_chunk));
}

/// Brings chunks into the cipher's buffers.
ChunkCipher::Opened Reader::open_chunks(uint64_t first_chunk, uint64_t chunks) {
  const auto sealed = cipher_->sealed().first(sealed_bytes(first_chunk, chunks));
  const uint64_t offset = chunk_offset(first_chunk);
  const size_t got = from_.read_at(offset, sealed);
  if (got < sealed.size()) throw reject_truncated(offset + got);
  return cipher_->open(first_chunk, sealed.size());
}

}  // namespace warpaes::core::cobblestone
