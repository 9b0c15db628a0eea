// Key wrapping, SP 800-38F: KW (RFC 3394) and KWP (RFC 5649), for engines on host memory.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// A key to wrap or to unwrap; input and output are equal or disjoint.
struct WrapRun {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // the length of the input
};

enum class Wrapping { kw, kwp };

/// The length of the wrapped key. Throws LENGTH for a length that the mode cannot wrap.
uint64_t wrapped_bytes(Wrapping mode, uint64_t bytes);
/// The room that unwrapping needs. Throws LENGTH for a length that no wrapped key has.
uint64_t unwrapped_room(Wrapping mode, uint64_t bytes);

void require_valid_wrap(Wrapping mode, const WrapRun& run);
void require_valid_unwrap(Wrapping mode, const WrapRun& run);

/// Writes wrapped_bytes() bytes.
void key_wrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run);

/// @return the length of the key that was wrapped; the output behind it, up to unwrapped_room(), is zero.
///        Throws AUTHENTICATION, whatever is wrong, and then all of the output is zero
uint64_t key_unwrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run);

}  // namespace warpaes::core
