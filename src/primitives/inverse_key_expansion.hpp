// The round keys of the equivalent inverse cipher, FIPS 197 section 5.3.5, from those of the cipher.
#pragma once

#include <cstdint>

#include "primitives/key_schedule.hpp"
#include "primitives/mixed_columns.hpp"

namespace warpaes::core {

/// KeyExpansionEIC(), algorithm 5, with the rounds turned into the order of use.
/// @param rounds Nr: 10, 12 or 14 @param decryption is not `encryption`
inline void invert_key(const RoundKeys& encryption, int rounds, RoundKeys& decryption) {
  for (int round = 0; round <= rounds; round++) {
    const bool mixed = round != 0 && round != rounds;
    for (int column = 0; column < 4; column++) {
      const uint32_t word = encryption.word[4 * (rounds - round) + column];
      decryption.word[4 * round + column] = mixed ? inverse_mixed_column(word) : word;
    }
  }
}

}  // namespace warpaes::core
