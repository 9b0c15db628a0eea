// Host memory through an engine that works on host memory, shared between threads. Arguments have been
// checked.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

void ecb_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, Direction direction,
                const BlockRun& run);
void ctr_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const CounterRun& run);

}  // namespace warpaes::core
