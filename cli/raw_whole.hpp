#pragma once

#include "raw_job.hpp"

namespace warpaes::cli {

/// For the modes that give nothing before they have seen all of the message, or cannot.
/// @return bytes of plaintext
uint64_t run_whole(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                   ByteSink& to);

}  // namespace warpaes::cli
