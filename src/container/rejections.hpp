// The ways in which bytes are not a container that a key opens, and the sentence that goes with each.
#pragma once

#include <optional>

#include "container/file_key.hpp"
#include "failure.hpp"

namespace warpaes::core::cobblestone {

/// Why bytes are not a container that this key opens.
class Rejected : public Failure {
 public:
  Rejected(Status status, uint64_t chunk, uint64_t offset, const std::string& message)
      : Failure(status, message), chunk_(chunk), offset_(offset) {}
  uint64_t chunk() const { return chunk_; }  // counted from 0
  /// In the container: where the chunk, the gap or the excess begins.
  uint64_t offset() const { return offset_; }

 private:
  uint64_t chunk_, offset_;
};

/// CONTAINER_KEY: the commitment is another one; wrong key or context, or a damaged header.
Rejected reject_wrong_key();
/// TRUNCATED: the end is missing. @param end length of the container, or where its stream ended
Rejected reject_truncated(uint64_t end);
/// The layout of a container of this length. Throws TRUNCATED, and LENGTH for more than 2^38 chunks.
Layout checked_layout(uint64_t length);

/// The first chunk of a run that was not opened: its number in the run.
std::optional<uint64_t> first_wrong(std::span<const int32_t> statuses);

/// Says what is wrong with a chunk whose tag is: AUTHENTICATION for damage, or TRAILING_DATA. Bytes appended
/// to the right end of the data make a last chunk that is too long, and that can be told.
/// @param length of the container, if it is known
Rejected diagnose(const FileKey& file_key, uint64_t chunk, std::span<const uint8_t> sealed_chunk,
                  std::optional<uint64_t> length);

/// If some shorter beginning of a sealed chunk, ciphertext and tag, is a right last chunk: its length.
std::optional<size_t> shorter_last_chunk(const FileKey& file_key, uint64_t chunk,
                                         std::span<const uint8_t> sealed_chunk);

}  // namespace warpaes::core::cobblestone
