// Modes that chain, on host memory.
#include <array>
#include <cstring>
#include <vector>

#include "modes/modes.hpp"
#include "pipeline/share.hpp"
#include "pipeline/span_job.hpp"

namespace warpaes::core {
namespace {

/// cbc() or cfb(), of which only decryption can be cut in pieces.
using ChainMode = void (*)(const Engine& engine, const EngineKey& key, Direction direction,
                           const ChainRun& run, void* workspace, size_t workspace_bytes, Stream stream);

/// Pieces begin at a multiple of this.
constexpr uint64_t kUnchainedUnitBytes = 64 << 10;

/// What each unit needs of the one before. In place, somebody else may have overwritten that, so it is kept.
class UnitIvs {
 public:
  explicit UnitIvs(const ChainRun& run) : run_(run) {
    if (run.input != run.output) return;
    kept_.resize(divided_up(run.bytes, kUnchainedUnitBytes));
    for (uint64_t unit = 0; unit < kept_.size(); unit++) {
      std::memcpy(kept_[unit].data(), before(unit * kUnchainedUnitBytes), 16);
    }
  }

  const uint8_t* at(uint64_t offset) const {
    return kept_.empty() ? before(offset) : kept_[offset / kUnchainedUnitBytes].data();
  }

 private:
  const uint8_t* before(uint64_t offset) const { return offset == 0 ? run_.iv : run_.input + offset - 16; }

  const ChainRun& run_;
  std::vector<std::array<uint8_t, 16>> kept_;
};

Span span_of(const ChainRun& run) { return {run.input, run.output, run.bytes, kUnchainedUnitBytes}; }

SpanTask unchaining(const Key& key, ChainMode mode, const UnitIvs& ivs) {
  const auto work = [&key, mode, &ivs](const Engine& engine, const SpanPart& part) {
    const ChainRun run{ivs.at(part.at), part.input, part.output, part.bytes};
    mode(engine, key.prepared(engine, part.device), WARPAES_DIRECTION_DECRYPT, run, part.workspace,
         part.workspace_bytes, part.stream);
  };
  return {.work = work, .workspace = unchain_workspace_bytes};
}

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

void chain_host(const Key& key, ChainMode mode, Direction direction, const ChainRun& run) {
  if (direction == WARPAES_DIRECTION_DECRYPT) {
    const UnitIvs ivs(run);
    return run_span(key.context(), span_of(run), unchaining(key, mode, ivs));
  }
  chain_on_cpu(key, run, [&](const Engine& engine, const EngineKey& prepared) {
    mode(engine, prepared, WARPAES_DIRECTION_ENCRYPT, run, nullptr, 0, nullptr);
  });
}

}  // namespace

void cbc_host(const Key& key, Direction direction, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC, direction, run);
  chain_host(key, cbc, direction, run);
}

void cfb_host(const Key& key, Direction direction, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CFB, direction, run);
  chain_host(key, cfb, direction, run);
}

void ofb_host(const Key& key, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_OFB, WARPAES_DIRECTION_ENCRYPT, run);
  chain_on_cpu(key, run,
               [&](const Engine& engine, const EngineKey& prepared) { ofb(engine, prepared, run, nullptr); });
}

namespace {

/// Modes that no GPU engine has. Both take any length.
void short_segments_host(const Key& key, ChainMode mode, Direction direction, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CFB8, direction, run);
  chain_on_cpu(key, run, [&](const Engine& engine, const EngineKey& prepared) {
    if (direction == WARPAES_DIRECTION_ENCRYPT)
      return mode(engine, prepared, direction, run, nullptr, 0, nullptr);
    const UnitIvs ivs(run);
    run_span_by({nullptr, &engine, key.context().state().threads}, key.context(), span_of(run),
                unchaining(key, mode, ivs));
  });
}

}  // namespace

void cfb8_host(const Key& key, Direction direction, const ChainRun& run) {
  short_segments_host(key, cfb8, direction, run);
}

void cfb1_host(const Key& key, Direction direction, const ChainRun& run) {
  short_segments_host(key, cfb1, direction, run);
}

}  // namespace warpaes::core
