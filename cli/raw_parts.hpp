#pragma once

#include <optional>

#include "raw_job.hpp"

namespace warpaes::cli {

/// For the modes that can do it: some pieces of the message are in memory, never all of it. They are read,
/// worked on and written at the same time. Of a mode with a tag, plaintext goes at once where it leaves no
/// trace if the tag is wrong; anywhere else, it goes when a first pass has found the tag right.
/// @return bytes of plaintext; nothing, with nothing read, if this mode or context cannot do it in parts
std::optional<uint64_t> run_in_parts(const RawJob& job, const warpaes::Context& context,
                                     const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                                     const Progress& progress);

}  // namespace warpaes::cli
