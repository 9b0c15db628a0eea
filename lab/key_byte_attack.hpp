// Which key byte made these times? The arithmetic of the attack on bank conflicts: Jiang, Fei and Kaeli, A
// novel side-channel timing attack on GPUs, GLSVLSI 2017.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpaes::core::lab {

/// By chance, the best of 256 wrong guesses is beyond this in one attack of 10,000.
constexpr double kKeyByteThreshold = 5;

struct KeyByteGuess {
  uint8_t byte;   // the best guess
  double z;       // its correlation with time, in standard deviations of what chance would make
  double next_z;  // the second best guess's
  std::array<double, 256> z_of{};  // each guess's
  size_t samples;                  // that were used
  bool recovered() const { return z >= kKeyByteThreshold; }
};

/// A byte of the last round key. The last round's look-up for byte p of the ciphertext c is of entry
/// InvS(c ^ k), FIPS 197 5.1: so for each guess of k the passes of the warp's look-up are known
/// (bank_conflicts.hpp), and with the right guess they are a part of the warp's time.
///
/// The first round's look-ups, of entries p ^ k of the plaintext p, tell nothing: XOR with k exchanges banks,
/// and entries within a bank, so that the number of passes is the same whatever k is.
///
/// @param ciphertext 512 bytes a warp: its lanes' blocks
/// @param times one a warp, in any unit; the slowest twentieth is left out
/// @param place of the byte, 0 to 15
/// @param copies of the table
KeyByteGuess recover_key_byte(std::span<const uint8_t> ciphertext, std::span<const uint32_t> times, int place,
                              uint32_t copies = 1);

/// AES-128's key from its last round key: key expansion (FIPS 197 5.2) backwards.
std::array<uint8_t, 16> key_of_last_round_key(const std::array<uint8_t, 16>& last);

}  // namespace warpaes::core::lab
