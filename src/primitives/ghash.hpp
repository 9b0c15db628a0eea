// GHASH over strings of bytes on the host, SP 800-38D section 6.4.
#pragma once

#include <cstdint>
#include <cstring>

#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"

namespace warpaes {

/// Goes on from `hash` over a string, zero-padded to whole blocks.
/// @param key H as ghash_key() made it
inline Gf128 ghash(Gf128 hash, Gf128 key, const uint8_t* data, uint64_t bytes) {
  const Gf128Factor factor = gf128_factor(key);
  const auto absorb = [&](const uint8_t* block) {
    Gf128Sum product;
    product.add(hash ^ gf128_from_block(block), factor);
    hash = product.reduced();
  };
  for (; bytes >= 16; data += 16, bytes -= 16) absorb(data);
  if (bytes != 0) {
    uint8_t padded[16] = {};
    std::memcpy(padded, data, bytes);
    absorb(padded);
  }
  return hash;
}

/// J0, section 7.1 step 2: the counter block that the tag is encrypted with; the message's first block
/// has inc32 of it.
inline CounterBlock gcm_initial_counter(Gf128 key, const uint8_t* nonce, uint64_t bytes) {
  uint8_t block[16] = {};
  if (bytes == 12) {
    std::memcpy(block, nonce, 12);
    block[15] = 1;
  } else {
    const Gf128 hash = ghash(Gf128{0, 0}, key, nonce, bytes);
    gf128_to_block(gf128_multiply(hash ^ ghash_lengths(0, bytes), key), block);
  }
  return load_counter(block);
}

}  // namespace warpaes
