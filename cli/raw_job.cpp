#include "raw_job.hpp"

#include <algorithm>

#include "modes/modes.hpp"
#include "operations/operation.hpp"
#include "pipeline/context_state.hpp"
#include "raw_whole.hpp"

namespace warpaes::cli {
namespace {

/// Long enough for a GPU to be worth its while.
constexpr size_t kPiece = 16 << 20;

uint64_t by_parts(const RawJob& job, const Context& context, const Key& key, const Key* tweak_key,
                  InputFile& from, ByteSink& to, const Progress& progress) {
  Operation operation(key, {.mode = *(job.padded ? job.mode.padded : job.mode.mode),
                            .direction = job.direction,
                            .tweak_key = tweak_key,
                            .iv = job.iv,
                            .data_unit_bytes = job.data_unit_bytes});
  const uint64_t held = std::max<uint64_t>(job.data_unit_bytes, 32);
  HostBuffer input(context, kPiece), output(context, kPiece + held);
  uint64_t read = 0, written = 0;
  for (size_t got = input.size(); got == input.size();) {
    got = from.read({input.data(), input.size()});
    read += got;
    const uint64_t made = operation.update(input.data(), got, output.data(), output.size());
    to.write({output.data(), made});
    written += made;
    progress(read);
  }
  require_length(job, from.name(), read);
  const uint64_t last = operation.finish(output.data(), output.size());
  to.write({output.data(), last});
  return job.encrypts() ? read : written + last;
}

uint64_t in_parts(const RawJob& job, Context& context, std::span<const uint8_t> bytes, InputFile& from,
                  ByteSink& to, const Progress& progress) {
  if (!job.mode.is_xts()) return by_parts(job, context, Key(context, bytes), nullptr, from, to, progress);
  // IEEE 1619 section 5.1: Key = Key1 | Key2.
  const Key key(context, bytes.first(bytes.size() / 2)), tweak_key(context, bytes.last(bytes.size() / 2));
  return by_parts(job, context, key, &tweak_key, from, to, progress);
}

}  // namespace

uint64_t run_raw(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                 ByteSink& to, const Progress& progress) {
  return job.mode.mode ? in_parts(job, context, key, from, to, progress)
                       : run_whole(job, context, key, from, to);
}

const Engine& raw_engine(const RawJob& job, const Context& context, uint64_t bytes) {
  if (!job.mode.mode && !job.mode.aead) return context.state().cpu_engine();
  const bool chains = job.encrypts() ? job.mode.encryption_chains : job.mode.decryption_chains;
  const uint64_t shares = job.mode.aead ? 1 : UINT64_MAX;
  const Engine& engine = context.engine_for({chains ? 0 : std::min<uint64_t>(bytes, kPiece), shares});
  if (!job.mode.aead || has_aead(engine, *job.mode.aead)) return engine;
  return context.engine_for(HostWork{0});
}

}  // namespace warpaes::cli
