// The ways in which bytes are not a container that a key opens, and the sentence that goes with each.
#pragma once

#include <optional>

#include "container/file_key.hpp"
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

constexpr Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong_key:
      return WARPAES_ERROR_CONTAINER_KEY;
    case Verdict::truncated:
      return WARPAES_ERROR_TRUNCATED;
    case Verdict::trailing_data:
      return WARPAES_ERROR_TRAILING_DATA;
    case Verdict::damaged:
      return WARPAES_ERROR_AUTHENTICATION;
    case Verdict::too_long:
      return WARPAES_ERROR_LENGTH;
  }
  return WARPAES_ERROR_INTERNAL;
}

class Rejected : public Failure {
 public:
  Rejected(Verdict verdict, uint64_t chunk, uint64_t offset, const std::string& message)
      : Failure(status_of(verdict), message), verdict_(verdict), chunk_(chunk), offset_(offset) {}
  Verdict verdict() const { return verdict_; }
  uint64_t chunk() const { return chunk_; }  // counted from 0
  uint64_t offset() const {
    return offset_;
  }  // in the container: where the chunk, the gap or the excess begins

 private:
  Verdict verdict_;
  uint64_t chunk_, offset_;
};

Rejected reject_wrong_key();
/// @param end length of the container, or where its stream ended
Rejected reject_truncated(uint64_t end);
Rejected reject_damaged(uint64_t chunk, uint64_t sealed_bytes);
/// @param end where the container should have ended
Rejected reject_trailing(uint64_t chunk, uint64_t end, std::optional<uint64_t> length);
Rejected reject_too_long();

/// The first chunk of a run that was not opened: its number in the run.
std::optional<uint64_t> first_wrong(std::span<const int32_t> statuses);

/// Says what is wrong with a chunk whose tag is: bytes appended to the right end of the data make a last
/// chunk that is too long, and that can be told from damage.
/// @param length of the container, if it is known
Rejected diagnose(const FileKey& file_key, uint64_t chunk, std::span<const uint8_t> sealed_chunk,
                  std::optional<uint64_t> length);

}  // namespace warpaes::core::cobblestone
