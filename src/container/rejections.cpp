#include "container/rejections.hpp"

#include <fmt/format.h>

namespace warpaes::core::cobblestone {

Rejected reject_wrong_key() {
  return {Verdict::wrong_key, 0, 0, "wrong key: this file was encrypted under another one"};
}

Rejected reject_truncated(uint64_t end) {
  if (end < kHeaderBytes) {
    return {Verdict::truncated, 0, end,
            fmt::format("truncated: {} bytes are too few for a header, which has {}", end, kHeaderBytes)};
  }
  const uint64_t chunk = layout_of(end).chunks;
  return {Verdict::truncated, chunk, end,
          fmt::format("truncated: the file ends at byte {}, before the end of chunk {}", end, chunk)};
}

Rejected reject_damaged(uint64_t chunk, uint64_t sealed_bytes) {
  const uint64_t offset = chunk_offset(chunk);
  const char* const or_cut =
      sealed_bytes < kSealedChunkBytes ? ", or the file was cut short inside of it" : "";
  return {Verdict::damaged, chunk, offset,
          fmt::format("damaged: chunk {} (bytes {} to {}) failed authentication{}", chunk, offset,
                      offset + sealed_bytes - 1, or_cut)};
}

Rejected reject_trailing(uint64_t chunk, uint64_t end, std::optional<uint64_t> length) {
  const std::string excess = length ? fmt::format("{} bytes follow", *length - end) : "bytes follow";
  return {Verdict::trailing_data, chunk, end,
          fmt::format("damaged: the data ends in chunk {} at byte {}, and {} that do not belong to it", chunk,
                      end, excess)};
}

Rejected reject_too_long() {
  return {Verdict::too_long, kMaxChunks, chunk_offset(kMaxChunks), "damaged: more than 2^38 chunks"};
}

}  // namespace warpaes::core::cobblestone
