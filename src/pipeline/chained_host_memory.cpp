#include "modes/modes.hpp"
#include "pipeline/chained_runs.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes::core {
namespace {

/// Each block waits for the one before: a GPU would be slower at it than any CPU.
void chain_on_cpu(const Key& key, const ChainRun& run, const auto& mode) {
  const Engine& engine = key.context().state().cpu_engine();
  try {
    mode(engine, key.prepared(engine));
  } catch (...) {
    wipe(run.output, run.bytes);
    throw;
  }
}

void unchain_host(const Key& key, ChainMode mode, const ChainRun& chain) {
  if (chain.bytes == 0) return;
  const Context& context = key.context();
  Context::State& state = context.state();
  run_on_host_memory(
      context, work_of(context, chain.bytes, UINT64_MAX, chain.input, chain.output),
      chain.input == chain.output,
      [&](const Engine& engine, StagedProgress& progress) {
        unchain_staged(engine, key.prepared(engine), state.staging, mode, chain, progress);
      },
      [&](const Engine& engine) { unchain_on_cpu(engine, key.prepared(engine), state.threads, mode, chain); },
      [&](Status) { wipe(chain.output, chain.bytes); });
}

void chain_host(const Key& key, ChainMode mode, Direction direction, const ChainRun& chain) {
  if (direction == WARPAES_DIRECTION_DECRYPT) return unchain_host(key, mode, chain);
  chain_on_cpu(key, chain, [&](const Engine& engine, const EngineKey& prepared) {
    mode(engine, prepared, WARPAES_DIRECTION_ENCRYPT, chain, nullptr, 0, nullptr);
  });
}

}  // namespace

void cbc_host(const Key& key, Direction direction, const ChainRun& run) {
  require_valid_cbc(run);
  chain_host(key, cbc, direction, run);
}

void cfb_host(const Key& key, Direction direction, const ChainRun& run) {
  require_valid_chain(run);
  chain_host(key, cfb, direction, run);
}

void ofb_host(const Key& key, const ChainRun& run) {
  require_valid_chain(run);
  chain_on_cpu(key, run,
               [&](const Engine& engine, const EngineKey& prepared) { ofb(engine, prepared, run, nullptr); });
}

namespace {

/// Modes that no GPU engine has.
void short_segments_host(const Key& key, ChainMode mode, Direction direction, const ChainRun& run) {
  require_valid_chain(run);
  WorkerThreads& threads = key.context().state().threads;
  chain_on_cpu(key, run, [&](const Engine& engine, const EngineKey& prepared) {
    if (direction == WARPAES_DIRECTION_ENCRYPT || run.bytes == 0) {
      mode(engine, prepared, direction, run, nullptr, 0, nullptr);
    } else {
      unchain_on_cpu(engine, prepared, threads, mode, run);
    }
  });
}

}  // namespace

void cfb8_host(const Key& key, Direction direction, const ChainRun& run) {
  short_segments_host(key, cfb8, direction, run);
}

void cfb1_host(const Key& key, Direction direction, const ChainRun& run) {
  short_segments_host(key, cfb1, direction, run);
}

void require_valid_xts_keys(const Key& key, const Key& tweak_key) {
  if (&key.context() != &tweak_key.context()) {
    throw Failure(WARPAES_ERROR_XTS_KEYS, "XTS' two keys are of one context, these of two");
  }
  require_valid_xts_keys(key.schedule(), tweak_key.schedule());
}

void xts_host(const Key& key, const Key& tweak_key, Direction direction, const XtsRun& units) {
  require_valid_xts_keys(key, tweak_key);
  require_valid_xts(units);
  if (units.bytes == 0) return;
  const Context& context = key.context();
  Context::State& state = context.state();
  const auto keys_for = [&](const Engine& engine) {
    return XtsKeys{key.prepared(engine), tweak_key.prepared(engine), key.key_bits()};
  };
  const uint64_t shares = (units.bytes - 1) / units.data_unit_bytes + 1;
  run_on_host_memory(
      context, work_of(context, units.bytes, shares, units.input, units.output), units.input == units.output,
      [&](const Engine& engine, StagedProgress& progress) {
        xts_staged(engine, keys_for(engine), state.staging, direction, units, progress);
      },
      [&](const Engine& engine) { xts_on_cpu(engine, keys_for(engine), state.threads, direction, units); },
      [&](Status) { wipe(units.output, units.bytes); });
}

}  // namespace warpaes::core
