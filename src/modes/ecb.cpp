#include "modes/modes.hpp"

namespace warpaes::core {

void ecb(const Engine& engine, const EngineKey& key, Direction direction, const BlockRun& run,
         Stream stream) {
  require_valid_message(WARPAES_MODE_ECB, direction, {nullptr, run.input, run.output, run.bytes});
  if (run.bytes == 0) return;
  (direction == WARPAES_DIRECTION_ENCRYPT ? engine.encrypt_blocks : engine.decrypt_blocks)(key, run, stream);
}

}  // namespace warpaes::core
