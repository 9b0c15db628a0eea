#include "pipeline/staged_runs.hpp"

#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/staged_pieces.hpp"

namespace warpaes::core {
namespace {

/// A run of bytes that is worked on in place on the device: a unit is a block.
template <class Work>
struct SpanJob {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  Work work;  // work(device memory, offset in the run, bytes, stream)

  uint64_t unit_bytes() const { return 16; }
  LaneNeed need(uint64_t blocks) const { return {16 * blocks, 0}; }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t blocks) const {
    const uint64_t at = 16 * first, piece = std::min(16 * blocks, bytes - at);
    copy_to_device(lane.device(), input + at, piece, lane.stream());
    work(lane.device(), at, piece, lane.stream());
    copy_to_host(output + at, lane.device(), piece, lane.stream());
  }
  void finish(const StagingPool::Lease&, uint64_t, uint64_t) const {}
};

}  // namespace

void ecb_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, Direction direction,
                const BlockRun& run, StagedProgress& progress) {
  const SpanJob job{run.input, run.output, run.bytes,
                    [&](uint8_t* device, uint64_t, uint64_t bytes, Stream stream) {
                      ecb(engine, key, direction, {device, device, bytes}, stream);
                    }};
  run_staged(pool, job, run.bytes / 16, progress.output_touched);
}

void ctr_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, const CounterRun& run,
                StagedProgress& progress) {
  const SpanJob job{run.input, run.output, run.bytes,
                    [&](uint8_t* device, uint64_t at, uint64_t bytes, Stream stream) {
                      const CounterAt counter(run.counter, at);
                      ctr(engine, key, {counter.block, device, device, bytes}, stream);
                    }};
  run_staged(pool, job, run.bytes / 16 + (run.bytes % 16 != 0), progress.output_touched);
}

}  // namespace warpaes::core
