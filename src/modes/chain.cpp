#include "modes/chain.hpp"

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
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "{} has no {}", engine.name, what);
}

void require_workspace(const char* work, const Engine& engine, size_t needed, const void* workspace,
                       size_t bytes, const char* purpose) {
  const bool aligned = reinterpret_cast<uintptr_t>(workspace) % 16 == 0;
  if (needed == 0 || (workspace != nullptr && bytes >= needed && aligned)) return;
  throw Failure(WARPAES_ERROR_WORKSPACE, "{} on {} needs a workspace of {} bytes{}, 16-byte aligned", work,
                engine.name, needed, purpose);
}

size_t unchain_workspace_bytes(const Engine& engine, uint64_t bytes) {
  return engine.unchain_workspace_bytes == nullptr ? 0 : engine.unchain_workspace_bytes(bytes);
}

void unchain(const Engine& engine, Engine::Unchain fused, const EngineKey& key, const ChainRun& run,
             void* workspace, size_t workspace_bytes, Stream stream) {
  const size_t needed = run.input == run.output ? unchain_workspace_bytes(engine, run.bytes) : 0;
  require_workspace("decryption in place", engine, needed, workspace, workspace_bytes);
  if (needed != 0) {
    require_apart(checked_range("the output", run.output, run.bytes),
                  checked_range("the workspace", workspace, workspace_bytes));
  }
  fused(key, run, workspace, stream);
}

}  // namespace warpaes::core
