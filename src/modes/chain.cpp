#include "modes/chain.hpp"

#include <string>

#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {

void require_valid_message(warpaes_mode mode, Direction direction, const ChainRun& run) {
  const ModeRow& row = mode_row(mode);
  const LengthRule& lengths = row.lengths(direction);
  lengths.require(run.bytes);
  require_valid({"the IV", run.iv, 1, 0, row.longest_nonce});
  require_valid_text(run.input, run.bytes, run.output, lengths.output(run.bytes));
}

void require_composable(const Engine& engine, const char* what) {
  if (engine.memory == Memory::host) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no " + what);
}

size_t unchain_workspace_bytes(const Engine& engine, uint64_t bytes) {
  return engine.unchain_workspace_bytes == nullptr ? 0 : engine.unchain_workspace_bytes(bytes);
}

void unchain(const Engine& engine, Engine::Unchain fused, const EngineKey& key, const ChainRun& run,
             void* workspace, size_t workspace_bytes, Stream stream) {
  const size_t needed = run.input == run.output ? unchain_workspace_bytes(engine, run.bytes) : 0;
  if (needed != 0) {
    if (workspace == nullptr || workspace_bytes < needed ||
        reinterpret_cast<uintptr_t>(workspace) % 16 != 0) {
      throw Failure(WARPAES_ERROR_WORKSPACE, "decryption in place on " + std::string(engine.name) +
                                                 " needs a workspace of " + std::to_string(needed) +
                                                 " bytes, 16-byte aligned");
    }
    const Region scratch{"the workspace", workspace, 1, 0, workspace_bytes};
    require_valid(scratch);
    require_disjoint({"the output", run.output, 1, 0, run.bytes}, scratch);
  }
  fused(key, run, workspace, stream);
}

}  // namespace warpaes::core
