#include "failure.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {

void require_valid_ecb(const BlockRun& run) {
  if (run.bytes % 16 != 0) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "ECB works on whole blocks: " + std::to_string(run.bytes) + " is no multiple of 16");
  }
  const Region input{"the input", run.input, 1, 0, run.bytes};
  const Region output{"the output", run.output, 1, 0, run.bytes};
  require_valid(input);
  require_valid(output);
  require_disjoint_or_same_place(output, input);
}

void ecb(const Engine& engine, const EngineKey& key, Direction direction, const BlockRun& run,
         Stream stream) {
  require_valid_ecb(run);
  if (run.bytes == 0) return;
  (direction == WARPAES_DIRECTION_ENCRYPT ? engine.encrypt_blocks : engine.decrypt_blocks)(key, run, stream);
}

}  // namespace warpaes::core
