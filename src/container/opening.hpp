// What all ways to open a container have in common.
#pragma once

#include "container/cobblestone.hpp"

namespace warpaes::core::cobblestone {

/// Throws LENGTH for more bytes of plaintext than a container holds.
void refuse_beyond_limit(uint64_t plaintext_bytes);

/// Reads a header's salt, derives the key and checks the commitment.
void derive_file_key(std::optional<FileKey>& file_key, Context& context, const InputKey& input_key,
                     std::span<const uint8_t, kHeaderBytes> header);

}  // namespace warpaes::core::cobblestone
