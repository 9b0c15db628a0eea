// Modes of operation, each written once for all engines. A mode checks its arguments (throwing
// Failure before anything is written), then calls the engine's fused function or composes it from the
// block functions. All pointers lie in the engine's memory.
#pragma once

#include "engines/engine.hpp"

namespace warpaes {

/// SP 800-38A 6.1. Lengths that are no multiple of 16 are refused.
void ecb(const Engine& engine, const EngineKey& key, Direction direction, const BlockRun& run, Stream stream);

/// SP 800-38A 6.5; the 128-bit counter wraps.
void ctr(const Engine& engine, const EngineKey& key, const CounterRun& run, Stream stream);

/// SP 800-38D. Wrong tags are reported in batch.statuses (and the output zeroed), never thrown.
/// @param workspace gcm_workspace_bytes() of the engine's memory, 16-byte aligned; null if that is 0
void gcm(const Engine& engine, const EngineKey& key, const GcmBatch& batch, void* workspace,
         size_t workspace_bytes, Stream stream);

size_t gcm_workspace_bytes(const Engine& engine, uint64_t messages, uint64_t bytes);

/// What the modes check first: for callers that cut a run into pieces, and must refuse the whole before
/// the first piece is done.
void require_valid_ecb(const BlockRun& run);
void require_valid_ctr(const CounterRun& run);
void require_valid_gcm(const GcmBatch& batch);

/// What the arrays of a ragged or scattered batch in host memory say, message by message. That messages do
/// not overlap each other is not looked at.
void require_valid_messages(const GcmBatch& batch);

/// The form of each that uses nothing but encrypt_blocks, for host engines: what an engine without the
/// fused function gets, and the oracle of those that have one.
void ctr_composed(const Engine& engine, const EngineKey& key, const CounterRun& run);
void gcm_composed(const Engine& engine, const EngineKey& key, const GcmBatch& batch);

/// SP 800-38D section 5.2.1.1: 2^39 - 256 bits.
constexpr uint64_t kGcmMaxBytes = (uint64_t{1} << 36) - 32;
constexpr size_t kGcmMinTagBytes = 12, kGcmMaxTagBytes = 16;

}  // namespace warpaes
