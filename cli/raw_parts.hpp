#pragma once

#include <optional>

#include "raw_job.hpp"

namespace warpaes::core::cli {

/// Long enough for a GPU to be worth its while.
constexpr size_t kRawPiece = 16 << 20;

/// For the modes whose parts leave as they come: some pieces of the message are in memory, never all of it.
/// They are read, worked on and written at the same time.
/// @return bytes of plaintext; nothing, with nothing read, if this mode or context cannot do it in parts
std::optional<uint64_t> run_in_parts(const RawJob& job, const warpaes::Context& context,
                                     const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                                     const Progress& progress);

}  // namespace warpaes::core::cli
