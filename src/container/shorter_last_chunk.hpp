// How bytes that were appended to a container are told from damage.
#pragma once

#include <optional>

#include "container/file_key.hpp"

namespace warpaes::core::cobblestone {

/// If some shorter beginning of a sealed chunk, ciphertext and tag, is a right last chunk: its length.
std::optional<size_t> shorter_last_chunk(const FileKey& file_key, uint64_t chunk,
                                         std::span<const uint8_t> sealed_chunk);

}  // namespace warpaes::core::cobblestone
