#include "container/rejections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "container/shorter_last_chunk.hpp"

namespace warpaes::core::cobblestone {

Rejected reject_wrong_key() {
  return {WARPAES_ERROR_CONTAINER_KEY, 0, 0, "wrong key: this file was encrypted under another one"};
}

Rejected reject_truncated(uint64_t end) {
  if (end < kHeaderBytes) {
    return {WARPAES_ERROR_TRUNCATED, 0, end,
            fmt::format("truncated: {} bytes are too few for a header, which has {}", end, kHeaderBytes)};
  }
  const uint64_t chunk = layout_of(end).chunks;
  return {WARPAES_ERROR_TRUNCATED, chunk, end,
          fmt::format("truncated: the file ends at byte {}, before the end of chunk {}", end, chunk)};
}

Rejected reject_damaged(uint64_t chunk, uint64_t sealed_bytes) {
  const uint64_t offset = chunk_offset(chunk);
  const char* const or_cut =
      sealed_bytes < kSealedChunkBytes ? ", or the file was cut short inside of it" : "";
  return {WARPAES_ERROR_AUTHENTICATION, chunk, offset,
          fmt::format("damaged: chunk {} (bytes {} to {}) failed authentication{}", chunk, offset,
                      offset + sealed_bytes - 1, or_cut)};
}

Rejected reject_trailing(uint64_t chunk, uint64_t end, std::optional<uint64_t> length) {
  const bool known = length && *length > end;
  const std::string excess = known ? fmt::format("{} bytes follow", *length - end) : "bytes follow";
  return {WARPAES_ERROR_TRAILING_DATA, chunk, end,
          fmt::format("damaged: the data ends in chunk {} at byte {}, and {} that do not belong to it", chunk,
                      end, excess)};
}

Rejected reject_too_long() {
  return {WARPAES_ERROR_LENGTH, kMaxChunks, chunk_offset(kMaxChunks), "damaged: more than 2^38 chunks"};
}

std::optional<uint64_t> first_wrong(std::span<const int32_t> statuses) {
  const auto found = std::ranges::find_if(statuses, [](int32_t status) { return status != WARPAES_OK; });
  if (found == statuses.end()) return std::nullopt;
  return static_cast<uint64_t>(found - statuses.begin());
}

Rejected diagnose(const FileKey& file_key, uint64_t chunk, std::span<const uint8_t> sealed_chunk,
                  std::optional<uint64_t> length) {
  const auto end = shorter_last_chunk(file_key, chunk, sealed_chunk);
  if (end) return reject_trailing(chunk, chunk_offset(chunk) + *end, length);
  return reject_damaged(chunk, sealed_chunk.size());
}

}  // namespace warpaes::core::cobblestone
