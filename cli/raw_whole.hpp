#pragma once

#include "raw_job.hpp"

namespace warpaes::cli {

/// Throws for a tag that is wrong.
void require_genuine(const Verdict& verdict);

/// For the modes that give nothing before they have seen all of the message, or cannot.
/// @return bytes of plaintext
uint64_t run_whole(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                   InputFile& from, ByteSink& to);

}  // namespace warpaes::cli
