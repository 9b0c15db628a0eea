// The container: C2SP chunked-encryption, "Cobblestone-256" and "-128" (docs/container.md).
// All memory that held plaintext or keys is wiped, whether a call returns or throws.
#pragma once

#include <functional>

#include "container/byte_streams.hpp"
#include "container/chunk_cipher.hpp"
#include "container/output_check.hpp"
#include "container/rejections.hpp"

namespace warpaes::core::cobblestone {

/// Called after each batch with the plaintext bytes done so far; may throw to stop.
using Progress = std::function<void(uint64_t plaintext_bytes)>;

/// Encrypts all of a source with a fresh salt. @return plaintext bytes
/// Throws LENGTH past kMaxPlaintextBytes, SELF_TEST if the check of the output finds a wrong chunk.
uint64_t encrypt(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress, OutputCheck check = OutputCheck::sample);

/// The same with a given salt. A salt may be used once only.
uint64_t encrypt_with_salt(Context& context, const InputKey& input_key, const Salt& salt, ByteSource& from,
                           ByteSink& to, const Progress& progress, OutputCheck check);

/// Checks and decrypts. Nothing is written before its chunk is authenticated; a container that is
/// damaged later has then given its right beginning. @return plaintext bytes; throws Rejected
uint64_t decrypt(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress);

/// Random access. Opening one checks the key and, with the last chunk, the length.
class Reader {
 public:
  Reader(Context& context, const InputKey& input_key, const RandomAccessSource& from);

  /// Bytes of plaintext.
  uint64_t size() const { return layout_.plaintext_bytes; }

  /// Decrypts from `offset` on, opening only the chunks that are touched. @return bytes read, less
  /// than asked for only at the end. Throws Rejected; `into` then holds nothing of the bad chunk.
  size_t read(uint64_t offset, std::span<uint8_t> into);

 private:
  size_t sealed_bytes(uint64_t first_chunk, uint64_t chunks) const;
  ChunkCipher::Opened open_chunks(uint64_t first_chunk, uint64_t chunks);

  const RandomAccessSource& from_;
  Layout layout_;
  std::optional<FileKey> file_key_;
  std::optional<ChunkCipher> cipher_;
};

}  // namespace warpaes::core::cobblestone
