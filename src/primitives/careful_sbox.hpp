// The S-box on the CPU without a table or a branch that secrets choose: the bits of all bytes, plane by
// plane, through the circuit that GPUs have for it as well.
#pragma once

#include <cstdint>

#include "primitives/sbox_circuit.hpp"

namespace warpaes::core::careful {

/// A matrix of 8 x 8 bits transposed: bit k of byte i becomes bit i of byte k. Each step exchanges the two
/// squares beside the diagonal, of one bit, of 2 x 2 and of 4 x 4.
inline uint64_t transposed(uint64_t bytes) {
  uint64_t swapped = (bytes ^ bytes >> 7) & 0x00aa00aa00aa00aa;
  bytes ^= swapped ^ swapped << 7;
  swapped = (bytes ^ bytes >> 14) & 0x0000cccc0000cccc;
  bytes ^= swapped ^ swapped << 14;
  swapped = (bytes ^ bytes >> 28) & 0x00000000f0f0f0f0;
  return bytes ^ swapped ^ swapped << 28;
}

/// SubBytes, FIPS 197 section 5.1.1, of all bytes of one to four pairs of words.
template <int Pairs>
void substitute(uint32_t (&word)[2 * Pairs]) {
  uint32_t plane[8] = {};
  for (int pair = 0; pair < Pairs; pair++) {
    const uint64_t bits = transposed(word[2 * pair] | uint64_t{word[2 * pair + 1]} << 32);
    for (int k = 0; k < 8; k++) plane[k] |= static_cast<uint32_t>(bits >> (8 * k) & 0xff) << (8 * pair);
  }
  sbox_circuit(plane);
  for (int pair = 0; pair < Pairs; pair++) {
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++) bits |= uint64_t{plane[k] >> (8 * pair) & 0xff} << (8 * k);
    const uint64_t bytes = transposed(bits) ^ 0x6363636363636363;
    word[2 * pair] = static_cast<uint32_t>(bytes);
    word[2 * pair + 1] = static_cast<uint32_t>(bytes >> 32);
  }
}

}  // namespace warpaes::core::careful
