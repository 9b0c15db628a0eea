#include "raw_job.hpp"

#include <algorithm>

#include "modes/modes.hpp"
#include "pipeline/context_state.hpp"
#include "raw_parts.hpp"
#include "raw_whole.hpp"

namespace warpaes::cli {
namespace {

/// A GPU does the whole of a GCM message alone; the parts of one need a CPU.
bool in_parts(const RawJob& job, const Context& context) {
  if (job.mode.mode) return true;
  return job.encrypts() && job.mode.sealing && context.state().engine_on(Memory::host) != nullptr;
}

}  // namespace

uint64_t run_raw(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                 ByteSink& to, const Progress& progress) {
  return in_parts(job, context) ? run_in_parts(job, context, key, from, to, progress)
                                : run_whole(job, context, key, from, to);
}

const Engine& raw_engine(const RawJob& job, const Context& context, uint64_t bytes) {
  if (!job.mode.mode && !job.mode.aead) return context.state().cpu_engine();
  const bool chains = job.encrypts() ? job.mode.encryption_chains : job.mode.decryption_chains;
  const bool parted = in_parts(job, context);
  const uint64_t shares = parted ? UINT64_MAX : 1;
  const Engine& engine = context.engine_for({chains ? 0 : std::min<uint64_t>(bytes, kRawPiece), shares});
  if (parted) return engine;
  if (has_aead(engine, *job.mode.aead)) return engine;
  return context.engine_for(HostWork{0});
}

}  // namespace warpaes::cli
