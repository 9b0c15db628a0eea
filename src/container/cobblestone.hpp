// The container: C2SP chunked-encryption, "Cobblestone-256" and "-128" (docs/container.md).
// All memory that held plaintext or keys is wiped, whether a call returns or throws.
#pragma once

#include <functional>

#include "container/byte_streams.hpp"
#include "container/chunk_cipher.hpp"
#include "container/output_check.hpp"
#include "failure.hpp"

namespace warpaes::core::cobblestone {

/// Why bytes are not a container that this key opens.
enum class Verdict {
  wrong_key,      // the commitment is another one: wrong key or context, or a damaged header
  truncated,      // the end is missing
  trailing_data,  // something follows the end
  damaged,        // a chunk's tag is wrong
  too_long,       // more than 2^38 chunks
};

class Rejected : public Failure {
 public:
  Rejected(Verdict verdict, uint64_t chunk, uint64_t offset, const std::string& message)
      : Failure(WARPAES_ERROR_AUTHENTICATION, message), verdict_(verdict), chunk_(chunk), offset_(offset) {}
  Verdict verdict() const { return verdict_; }
  uint64_t chunk() const { return chunk_; }  // counted from 0
  uint64_t offset() const {
    return offset_;
  }  // in the container: where the chunk, the gap or the excess begins

 private:
  Verdict verdict_;
  uint64_t chunk_, offset_;
};

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
