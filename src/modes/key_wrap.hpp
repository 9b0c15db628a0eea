// Key wrapping, SP 800-38F: KW (RFC 3394) and KWP (RFC 5649). For host engines.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// In place, or apart.
struct WrapRun {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // of the input
};

enum class Wrapping { kw, kwp };

/// Throws LENGTH for what the mode cannot wrap.
uint64_t wrapped_bytes(Wrapping mode, uint64_t bytes);
/// Room that unwrapping needs. Throws LENGTH for what cannot have been wrapped.
uint64_t unwrapped_room(Wrapping mode, uint64_t bytes);

void require_valid_wrap(Wrapping mode, const WrapRun& run);
void require_valid_unwrap(Wrapping mode, const WrapRun& run);

/// Writes wrapped_bytes().
void key_wrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run);

/// @return bytes of what was wrapped; output behind them, up to unwrapped_room(), is zero. Throws
///         AUTHENTICATION, whatever it is that is wrong; the output is then all zero.
uint64_t key_unwrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run);

}  // namespace warpaes::core
