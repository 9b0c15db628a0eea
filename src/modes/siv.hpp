// SIV, RFC 5297.
#pragma once

#include "engines/engine.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// Section 7: S2V takes 127 strings, of which the plaintext is one.
constexpr size_t kSivMostAads = 126;

/// One message in host memory.
struct SivRun {
  Direction direction;
  const uint8_t* const* aads;
  const uint64_t* aad_lengths;
  size_t aad_count;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint8_t* tag;  // decrypting: only read
};

/// Section 2.4, S2V of the associated data and the plaintext: the tag. On a host engine.
class S2v {
 public:
  S2v(const Engine& engine, const EngineKey& mac_key);
  MacBlock tag_of(const SivRun& run, const uint8_t* plaintext);

 private:
  MacBlock mac_of(const uint8_t* data, uint64_t bytes);

  Cmac cmac_;
  const SecretBlock of_zeros_;  // CMAC of a block of zeros, with which every S2V begins
};

/// Section 2.5: the counter that a message with this tag is encrypted from.
MacBlock siv_counter(const uint8_t* tag);

}  // namespace warpaes::core
