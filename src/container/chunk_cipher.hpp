// Seals and opens runs of consecutive chunks: one batch of chunks is one engine call.
#pragma once

#include <optional>

#include "container/chunk_range.hpp"

namespace warpaes::core::cobblestone {

/// What batches of a run of that many chunks go to; of a long one, if the number is not known.
const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks);

/// How many chunks are best worked on at once, in a run of that many chunks.
size_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks);

class ChunkCipher {
 public:
  /// @param expected_chunks of the whole run, if known: no more room is made than that needs
  ChunkCipher(const FileKey& file_key, std::optional<uint64_t> expected_chunks);

  const Engine& engine() const { return *engine_; }

  /// Room for one batch: the input of seal() and the output of open(), and the other way round.
  std::span<uint8_t> plaintext() { return {plaintext_.data(), batch_chunks_ * kChunkBytes}; }
  std::span<uint8_t> sealed() { return {sealed_.data(), batch_chunks_ * kSealedChunkBytes}; }

  /// Seals the first `bytes` of plaintext(). Whole chunks are sealed as such; only if `last`, the rest
  /// (often some bytes, sometimes none) becomes the container's last chunk.
  /// @return bytes of sealed() that are to be written
  size_t seal(uint64_t first_chunk, size_t bytes, bool last);

  struct Opened {
    size_t plaintext_bytes;                // of plaintext(): from the chunks before the failed one
    std::optional<uint64_t> failed_chunk;  // the first whose tag is wrong
  };

  /// Opens the first `bytes` of sealed(): whole chunks and then, if bytes are left (16 or more), the
  /// last one. Nothing of a chunk with a wrong tag is in plaintext().
  Opened open(uint64_t first_chunk, size_t bytes);

  /// Was the tag of the chunk at this place of the last open() right? The plaintext of one that was not is
  /// zero.
  bool is_sound(size_t place) const { return statuses_[place] == WARPAES_OK; }

 private:
  const FileKey& file_key_;
  const Engine* engine_;
  size_t batch_chunks_;
  HostBuffer plaintext_, sealed_;
  std::vector<int32_t> statuses_;
};

}  // namespace warpaes::core::cobblestone
