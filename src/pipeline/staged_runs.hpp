// Host memory through an engine that works on device memory, in pieces that are copied there, worked on
// and copied back: alternately on two streams, so that copies overlap with work. Arguments have been
// checked.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/staging.hpp"

namespace warpaes::core {

/// Set before the first byte of output is written: until then, a failed run may be done by another
/// engine even in place.
struct StagedProgress {
  bool output_touched = false;
};

// Throws DEVICE_MEMORY, with nothing written, if there is no room for the smallest sensible piece.
void ecb_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, Direction direction,
                const BlockRun& run, StagedProgress& progress);
void ctr_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, const CounterRun& run,
                StagedProgress& progress);
}  // namespace warpaes::core
