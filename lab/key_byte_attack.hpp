// Finds the key byte that must have caused the times that were measured. The leak, bank conflicts of the last
// round, is that of Jiang, Fei and Kaeli, "A novel side-channel timing attack on GPUs", GLSVLSI 2017, who
// compare means of times. The statistic here, the correlation of times with what a guess predicts, is that of
// their "A complete key recovery timing attack on a GPU", HPCA 2016, whose leak is coalescing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpaes::core::lab {

/// By chance, the best of 256 wrong guesses exceeds this in at most one of 1,000 attacks: 256 exp(-5^2 / 2).
constexpr double kKeyByteThreshold = 5;

struct KeyByteGuess {
  uint8_t byte;  // the best guess
  /// How well it correlates with time. Chance makes a wrong guess exceed z, if z > 0, with a probability of
  /// exp(-z^2 / 2) at most, as it does with z standard deviations of a normal number.
  double z;
  double next_z;                   // the same for the second best guess
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
