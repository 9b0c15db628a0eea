#include "container/chunk_plan.hpp"

#include <algorithm>

#include "container/layout.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// A GPU wants enough chunks at once to fill it, and copies that are long.
constexpr uint64_t kDeviceBatchChunks = 4096;  // 64 MiB
/// A CPU core wants plaintext and ciphertext to stay in its second-level cache between reading,
/// encrypting and writing.
constexpr uint64_t kChunksPerThread = 24;  // 384 KiB + 384 KiB

uint64_t expected_in_a_batch(std::optional<uint64_t> expected_chunks) {
  return std::clamp<uint64_t>(expected_chunks.value_or(kDeviceBatchChunks), 1, kDeviceBatchChunks);
}

}  // namespace

const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks) {
  const uint64_t chunks = expected_in_a_batch(expected_chunks);
  return context.engine_for(
      {.bytes = chunks * kChunkBytes, .shares = chunks, .pinned = true, .kind = WorkKind::gcm});
}

uint64_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks) {
  const bool on_device = engine_for_chunks(context, expected_chunks).memory == Memory::device;
  const uint64_t best = on_device ? kDeviceBatchChunks : context.threads() * kChunksPerThread;
  return std::clamp<uint64_t>(best, 1, expected_in_a_batch(expected_chunks));
}

}  // namespace warpaes::core::cobblestone
