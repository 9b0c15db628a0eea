// What all ways to open a container have in common.
#pragma once

#include "container/cobblestone.hpp"

namespace warpaes::core::cobblestone {

/// Throws LENGTH for more bytes of plaintext than a container holds.
void refuse_beyond_limit(uint64_t plaintext_bytes);

/// Reads a header's salt, derives the key and checks the commitment.
void derive_file_key(std::optional<FileKey>& file_key, Context& context, const InputKey& input_key,
                     std::span<const uint8_t, kHeaderBytes> header);

/// Says what is wrong with a chunk whose tag is: bytes appended to the right end of the data make a last
/// chunk that is too long, and that can be told from damage by trying all shorter ones. These are up to
/// 16 Ki small messages, which is work for a CPU: for the caller's CPU engine, and for OpenSSL's if the
/// caller has a GPU's only.
Rejected diagnose(const Context& callers, const InputKey& input_key, const Salt& salt, uint64_t chunk,
                  std::span<const uint8_t> sealed_chunk, std::optional<uint64_t> length);

}  // namespace warpaes::core::cobblestone
