#include "modes/modes.hpp"
#include "pipeline/cpu_runs.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes::core {
void ecb_host(const Key& key, Direction direction, const BlockRun& blocks) {
  require_valid_ecb(blocks);
  const Context& context = key.context();
  Context::State& state = context.state();
  run_on_host_memory(
      context, work_of(context, blocks.bytes, UINT64_MAX, blocks.input, blocks.output),
      blocks.input == blocks.output,
      [&](const Engine& engine, StagedProgress& progress) {
        ecb_staged(engine, key.prepared(engine), state.staging, direction, blocks, progress);
      },
      [&](const Engine& engine) {
        ecb_on_cpu(engine, key.prepared(engine), state.threads, direction, blocks);
      },
      [&](Status) { wipe(blocks.output, blocks.bytes); });
}

void ctr_host(const Key& key, const CounterRun& span) {
  require_valid_ctr(span);
  const Context& context = key.context();
  Context::State& state = context.state();
  run_on_host_memory(
      context, work_of(context, span.bytes, UINT64_MAX, span.input, span.output), span.input == span.output,
      [&](const Engine& engine, StagedProgress& progress) {
        ctr_staged(engine, key.prepared(engine), state.staging, span, progress);
      },
      [&](const Engine& engine) { ctr_on_cpu(engine, key.prepared(engine), state.threads, span); },
      [&](Status) { wipe(span.output, span.bytes); });
}

}  // namespace warpaes::core
