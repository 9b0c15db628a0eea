#include "failure.hpp"
#include "modes/key_stream.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {

void require_valid_ctr(const CounterRun& run) {
  const Region input{"the input", run.input, 1, 0, run.bytes};
  const Region output{"the output", run.output, 1, 0, run.bytes};
  require_valid({"the counter", run.counter, 1, 0, 16});
  require_valid(input);
  require_valid(output);
  require_disjoint_or_same_place(output, input);
}

void ctr(const Engine& engine, const EngineKey& key, const CounterRun& run, Stream stream) {
  require_valid_ctr(run);
  if (run.bytes == 0) return;
  if (engine.counter != nullptr) {
    engine.counter(key, run, stream);
  } else {
    ctr_composed(engine, key, run);
  }
}

void ctr_composed(const Engine& engine, const EngineKey& key, const CounterRun& run) {
  if (engine.memory != Memory::host) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no counter mode");
  }
  xor_key_stream(engine, key, load_counter(run.counter), add128, run.input, run.output, run.bytes);
}

}  // namespace warpaes::core
