#include "raw_job.hpp"

#include "raw_parts.hpp"
#include "raw_whole.hpp"

namespace warpaes::cli {

uint64_t run_raw(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                 std::span<const uint8_t> key, InputFile& from, ByteSink& to, const Progress& progress) {
  const std::optional<uint64_t> in_parts = run_in_parts(job, context, cipher, from, to, progress);
  return in_parts ? *in_parts : run_whole(job, context, cipher, key, from, to, progress);
}

}  // namespace warpaes::cli
