#include "pipeline/cpu_runs.hpp"

#include <algorithm>

#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"

namespace warpaes {
namespace {

/// A piece should take much longer than it takes to wake a thread (some 10 µs), and many pieces even out
/// threads that run at different speeds.
constexpr uint64_t kSmallestPiece = 128 << 10, kLargestPiece = 1 << 20;

uint64_t divided_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/// How many units of work, of `unit_bytes` each, make a piece.
uint64_t units_per_piece(uint64_t units, uint64_t unit_bytes, unsigned threads) {
  if (threads == 1) return units;
  const uint64_t smallest = divided_up(kSmallestPiece, unit_bytes);
  const uint64_t largest = divided_up(kLargestPiece, unit_bytes);
  return std::clamp(divided_up(units, threads), smallest, largest);
}

/// Calls part(first, count) for all of `units`, in pieces, on the threads.
template <class Part>
void share(WorkerThreads& threads, uint64_t units, uint64_t unit_bytes, const Part& part) {
  if (units == 0) return;
  const uint64_t per_piece = units_per_piece(units, std::max<uint64_t>(unit_bytes, 1), threads.threads());
  threads.share(divided_up(units, per_piece), [&](uint64_t piece) {
    const uint64_t first = piece * per_piece;
    part(first, std::min(per_piece, units - first));
  });
}

}  // namespace

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

void gcm_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const GcmBatch& batch) {
  share(threads, batch.messages, batch.bytes + batch.aad_bytes, [&](uint64_t first, uint64_t count) {
    gcm(engine, key, part_of(batch, first, count), nullptr, 0, nullptr);
  });
}

}  // namespace warpaes
