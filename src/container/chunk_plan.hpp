// How long runs of chunks are worked on best.
#pragma once

#include <optional>

#include "pipeline/context.hpp"

namespace warpaes::core::cobblestone {

/// What batches of a run of that many chunks go to; of a long one, if the number is not known.
const Engine& engine_for_chunks(const Context& context, std::optional<uint64_t> expected_chunks);

/// How many chunks are best worked on at once, in a run of that many chunks.
uint64_t chunks_of_a_batch(const Context& context, std::optional<uint64_t> expected_chunks);

}  // namespace warpaes::core::cobblestone
