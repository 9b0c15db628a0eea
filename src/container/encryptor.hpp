#pragma once

#include "container/byte_streams.hpp"
#include "container/chunk_cipher.hpp"

namespace warpaes::core::cobblestone {

/// Encrypts what is written to it, so that what one container gives can go into another without being
/// anywhere but in memory that is wiped.
class Encryptor : public ByteSink {
 public:
  /// Writes the container's header. @param expected_chunks if known
  Encryptor(Context& context, const InputKey& input_key, ByteSink& to,
            std::optional<uint64_t> expected_chunks);

  void write(std::span<const uint8_t> bytes) override;
  /// Writes the last chunk.
  void finish();

 private:
  void seal(bool last);

  FileKey file_key_;
  ChunkCipher cipher_;
  ByteSink& to_;
  uint64_t chunk_ = 0;
  size_t held_ = 0;  // bytes of cipher_.plaintext()
};

}  // namespace warpaes::core::cobblestone
