// Key wrapping, SP 800-38F: KW (RFC 3394) and KWP (RFC 5649), for engines on host memory.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// Wraps a key.
/// @param run the key to wrap or to unwrap, and how long it is; input and output are equal or disjoint
/// @param mode KW or KWP, whose row says how long the output is; throws LENGTH for what it does not wrap
void key_wrap(const Engine& engine, const EngineKey& key, warpaes_mode mode, const BlockRun& run);

/// Unwraps a key.
/// @return the length of the key that was wrapped; the output behind it, as far as the mode's row says, is
///        zero. Throws AUTHENTICATION, whatever is wrong, and then all of the output is zero
uint64_t key_unwrap(const Engine& engine, const EngineKey& key, warpaes_mode mode, const BlockRun& run);

}  // namespace warpaes::core
