// Finds the key byte that must have caused the times that were measured. This is the arithmetic of the attack
// on bank conflicts by Jiang, Fei and Kaeli, "A novel side-channel timing attack on GPUs", GLSVLSI 2017.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpaes::core::lab {

/// By chance, the best of 256 wrong guesses exceeds this in one of 10,000 attacks.
constexpr double kKeyByteThreshold = 5;

struct KeyByteGuess {
  uint8_t byte;   // the best guess
  double z;       // how well it correlates with time, in standard deviations of what chance causes
  double next_z;  // the same for the second best guess
  std::array<double, 256> z_of{};  // the same for each guess
  size_t samples;                  // how many were used
  bool recovered() const { return z >= kKeyByteThreshold; }
};

/// Finds a byte of the last round key. For byte p of the ciphertext c, the last round looks up entry InvS(c ^
/// k) (FIPS 197 section 5.1). So for each guess of k the passes of the warp's look-up are known
/// (bank_conflicts.hpp), and for the right guess they are a part of the warp's time.
///
/// The first round looks up the entries p ^ k of the plaintext p, which tell nothing: XOR with k exchanges
/// banks, and entries within a bank, so that the number of passes is the same for every k.
///
/// @param ciphertext 512 bytes for each warp, the blocks of its lanes
/// @param times one for each warp, in any unit; the slowest twentieth is left out
/// @param place which byte of a block, 0 to 15
/// @param copies how many copies of the table there are
KeyByteGuess recover_key_byte(std::span<const uint8_t> ciphertext, std::span<const uint32_t> times, int place,
                              uint32_t copies = 1);

/// AES-128's key from its last round key: key expansion (FIPS 197 5.2) backwards.
std::array<uint8_t, 16> key_of_last_round_key(const std::array<uint8_t, 16>& last);

}  // namespace warpaes::core::lab
