// What `decrypt --salvage` says of a file that was damaged.
#pragma once

#include <string>

#include "chunk_pieces.hpp"

namespace warpaes::cli {

/// Throws Refusal if there was anything to salvage: the output is there, but the input is not as it was made.
void require_sound(const PassResult& found, const std::string& input, const std::string& output);

}  // namespace warpaes::cli
