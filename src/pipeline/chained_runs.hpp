// CBC, CFB and XTS in pieces: on the CPU's threads, and through device memory. Arguments have been checked.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/staged_runs.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

/// cbc() or cfb(), of which only decryption can be cut in pieces.
using ChainMode = void (*)(const Engine& engine, const EngineKey& key, Direction direction,
                           const ChainRun& run, void* workspace, size_t workspace_bytes, Stream stream);

void unchain_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, ChainMode mode,
                    const ChainRun& run);
void unchain_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, ChainMode mode,
                    const ChainRun& run, StagedProgress& progress);

void xts_on_cpu(const Engine& engine, const XtsKeys& keys, WorkerThreads& threads, Direction direction,
                const XtsRun& run);
void xts_staged(const Engine& engine, const XtsKeys& keys, StagingPool& pool, Direction direction,
                const XtsRun& run, StagedProgress& progress);

}  // namespace warpaes::core
