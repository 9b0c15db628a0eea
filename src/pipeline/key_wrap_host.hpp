// Key wrap on host memory, by a CPU engine: each block waits for the one before.
#pragma once

#include "modes/key_wrap.hpp"
#include "pipeline/context.hpp"

namespace warpaes {

/// Writes wrapped_bytes(). Throws what require_valid_wrap throws, before anything is written; the output is
/// zero after anything else that it throws.
void key_wrap_host(const Key& key, Wrapping mode, const WrapRun& run);

/// @return as key_unwrap(), which says when AUTHENTICATION is thrown
uint64_t key_unwrap_host(const Key& key, Wrapping mode, const WrapRun& run);

}  // namespace warpaes
