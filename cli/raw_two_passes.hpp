#pragma once

#include <optional>

#include "raw_job.hpp"

namespace warpaes::cli {

/// For CCM, GCM-SIV and SIV, which need all of a message twice. A short message is in memory; of a long one
/// some pieces are, and the rest waits in a Spool, or in its file if that can be read twice.
/// Nothing is written before the tag is right, but to an output that leaves no trace otherwise.
/// @param cipher,key of the mode
/// @return bytes of plaintext; nothing, with nothing read, in other modes
std::optional<uint64_t> run_in_two_passes(const RawJob& job, const warpaes::Context& context,
                                          const warpaes::Cipher& cipher, std::span<const uint8_t> key,
                                          InputFile& from, ByteSink& to, const Progress& progress);

}  // namespace warpaes::cli
