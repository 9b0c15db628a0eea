// Batches of the chained modes in host memory: on the CPU's threads, and through device memory. Arguments
// have been checked.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/staged_runs.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes {

/// A message is one lane's work, some 20 MB/s: so many are needed for a GPU to outrun a CPU and the bus.
constexpr uint64_t kFewestForGpu = 512;

void chained_batch_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads,
                          const ChainedBatch& batch);

/// Messages that are ragged or scattered go one by one, which is slow.
void chained_batch_staged(const Engine& engine, const EngineKey& key, StagingPool& pool,
                          const ChainedBatch& batch, StagedProgress& progress);

}  // namespace warpaes
