#include "failure.hpp"
#include "modes/key_stream.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {

void ctr(const Engine& engine, const EngineKey& key, const CounterRun& run, Stream stream) {
  require_valid_message(WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT,
                        {run.counter, run.input, run.output, run.bytes});
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
