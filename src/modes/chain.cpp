#include "modes/chain.hpp"

#include <openssl/crypto.h>

#include <string>

#include "failure.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

Region output_of(const ChainRun& run) { return {"the output", run.output, 1, 0, run.bytes}; }

}  // namespace

ChainScratch::~ChainScratch() { OPENSSL_cleanse(bytes.data(), bytes.size()); }

void require_valid_chain(const ChainRun& run) {
  const Region input{"the input", run.input, 1, 0, run.bytes};
  require_valid({"the initialisation vector", run.iv, 1, 0, 16});
  require_valid(input);
  require_valid(output_of(run));
  require_disjoint_or_same_place(output_of(run), input);
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
    require_disjoint(output_of(run), scratch);
  }
  fused(key, run, workspace, stream);
}

}  // namespace warpaes::core
