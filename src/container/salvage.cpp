#include "container/salvage.hpp"

#include <algorithm>

#include "container/opening.hpp"
#include "container/rejections.hpp"

namespace warpaes::core::cobblestone {
namespace {

void add_lost(std::vector<LostBytes>& lost, const LostBytes& bytes) {
  if (!lost.empty() && lost.back().offset + lost.back().bytes == bytes.offset) {
    lost.back().bytes += bytes.bytes;
  } else {
    lost.push_back(bytes);
  }
}

}  // namespace

Salvaged salvage(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress) {
  std::array<uint8_t, kHeaderBytes> header;
  if (const size_t got = from.read(header); got < header.size()) throw reject_truncated(got);
  std::optional<FileKey> opened_key;
  derive_file_key(opened_key, context, input_key, header);
  const FileKey& file_key = *opened_key;
  const std::optional<uint64_t> length = from.size();
  ChunkCipher cipher(file_key, length ? std::optional(layout_of(*length).chunks + 1) : std::nullopt);

  Salvaged salvaged;
  uint64_t chunk = 0;
  for (bool last = false; !last;) {
    const size_t room = cipher.sealed().size();
    size_t bytes = from.read(cipher.sealed());
    last = bytes < room;
    const size_t rest = bytes % kSealedChunkBytes;
    if (last && rest < kTagBytes) {
      bytes -= rest;  // a chunk's beginning without its tag is nothing that can be checked
      salvaged.end_is_missing = true;
    }
    cipher.open(chunk, bytes);
    size_t plaintext_bytes = 0;
    for (size_t at = 0, index = 0; at < bytes; at += kSealedChunkBytes, index++) {
      const size_t in_chunk = std::min(kSealedChunkBytes, bytes - at) - kTagBytes;
      if (!cipher.is_sound(index)) {
        add_lost(salvaged.lost, {salvaged.plaintext_bytes + plaintext_bytes, in_chunk});
      }
      plaintext_bytes += in_chunk;
    }
    to.write(cipher.plaintext().first(plaintext_bytes));  // zeros where the tag is wrong
    salvaged.plaintext_bytes += plaintext_bytes;
    chunk += bytes / kSealedChunkBytes;
    progress(salvaged.plaintext_bytes);
  }
  return salvaged;
}

}  // namespace warpaes::core::cobblestone
