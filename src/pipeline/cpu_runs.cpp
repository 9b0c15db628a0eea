#include "pipeline/cpu_runs.hpp"

#include <algorithm>

#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/share.hpp"

namespace warpaes::core {
void ecb_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, Direction direction,
                const BlockRun& run) {
  share(threads, run.bytes / 16, 16, [&](uint64_t first, uint64_t blocks) {
    ecb(engine, key, direction, part_of(run, 16 * first, 16 * blocks), nullptr);
  });
}

void ctr_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const CounterRun& run) {
  share(threads, divided_up(run.bytes, 16), 16, [&](uint64_t first, uint64_t blocks) {
    const uint64_t at = 16 * first;
    const CounterAt counter(run.counter, at);
    ctr(engine, key, {counter.block, run.input + at, run.output + at, std::min(16 * blocks, run.bytes - at)},
        nullptr);
  });
}

}  // namespace warpaes::core
