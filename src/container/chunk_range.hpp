// A run of consecutive chunks, sealed, opened or checked in the caller's memory by one engine call, or two
// where the container's last, shorter chunk is among them. Several threads may do so under one key.
#pragma once

#include "container/file_key.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core::cobblestone {

/// Memory for the plaintext of one chunk.
using ChunkMemory = Wiped<std::array<uint8_t, kChunkBytes>>;

struct ChunkRange {
  uint64_t first;        // number of the first chunk, counted from 0
  const uint8_t* input;  // plaintext to seal, sealed chunks to open
  uint64_t bytes;        // of the input: whole chunks and, only with `ends`, the shorter last one
  uint8_t* output;       // output_bytes() of room; must not overlap the input
  bool ends;             // is the container's last chunk the last of the range?
};

/// How many chunks a range has. Throws LENGTH if its bytes are no whole chunks or if it reaches past the
/// specification's limit, and Rejected (truncated) if sealed chunks end before the last one's tag does.
uint64_t chunks_in(Direction direction, const ChunkRange& range);

/// What sealing or opening a range writes.
uint64_t output_bytes(Direction direction, const ChunkRange& range);

void seal_chunks(const FileKey& file_key, const ChunkRange& range);

/// Each chunk stands for itself: the plaintext of one whose tag is wrong is zero, and all others are opened.
/// @param statuses one for each chunk of the range: OK or AUTHENTICATION
void open_chunks(const FileKey& file_key, const ChunkRange& range, std::span<int32_t> statuses);

/// Finds out the same, and makes no plaintext: the range's output is not used.
void check_chunks(const FileKey& file_key, const ChunkRange& range, std::span<int32_t> statuses);

/// The engine that batches of a run of that many chunks go to, or those of a long run if the number is not
/// known.
const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks);

/// How many chunks are best worked on at once, in a run of that many chunks.
uint64_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks);

}  // namespace warpaes::core::cobblestone
