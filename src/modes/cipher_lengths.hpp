// How long messages of batches may be, and what comes out of them.
#pragma once

#include <cstddef>

#include "primitives/chaining.hpp"

namespace warpaes {

bool length_is_allowed(CipherMode mode, uint64_t bytes);

/// Throws LENGTH, saying what the mode takes.
void require_length(CipherMode mode, uint64_t bytes);

}  // namespace warpaes
