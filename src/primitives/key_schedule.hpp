// Key expansion, FIPS 197 section 5.2, and the decryption schedule of the equivalent inverse cipher,
// section 5.3.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpaes::core {

constexpr int kMaxRounds = 14;

/// Round keys as 32-bit words that hold four key bytes in memory order (byte 0 in the low bits), as a
/// little-endian load of the expanded key gives them. A plain aggregate: kernels take it by value.
struct RoundKeys {
  uint32_t word[4 * (kMaxRounds + 1)];
};

/// Both schedules of one key; wiped when it goes.
class KeySchedule {
 public:
  /// @param key 16, 24 or 32 bytes; anything else throws Failure(WARPAES_ERROR_KEY_LENGTH)
  explicit KeySchedule(std::span<const uint8_t> key);
  ~KeySchedule();
  KeySchedule(const KeySchedule&) = default;
  KeySchedule& operator=(const KeySchedule&) = default;

  int rounds() const { return rounds_; }  // Nr: 10, 12, 14
  int key_bits() const { return 32 * (rounds_ - 6); }
  const RoundKeys& encryption() const { return encryption_; }
  /// Round keys of the equivalent inverse cipher, in the order of use: word[0..3] is added first.
  const RoundKeys& decryption() const { return decryption_; }
  std::span<const uint8_t> key() const { return {key_, static_cast<size_t>(key_bits() / 8)}; }

 private:
  int rounds_ = 0;
  uint8_t key_[32] = {};
  RoundKeys encryption_ = {};
  RoundKeys decryption_ = {};
};

}  // namespace warpaes::core
