// GHASH (SP 800-38D section 6.4) shared by lanes, warps and thread blocks. Every share is a sum of blocks
// times powers of H, and the message's hash is the sum of all shares. Elements are in the form of POLYVAL
// (primitives/gf128.hpp).
#pragma once

#include "kernels/policy.hpp"
#include "primitives/gf128.hpp"

namespace warpaes::core {

/// A group is the blocks that a warp on bit planes takes at once, 8 in each thread; two or four warps with
/// tables share one, with 4 or 2 blocks in each thread. A thread's blocks are 32 apart.
constexpr uint32_t kGroupBlocks = 256;

/// Powers of a key's H, in the forms that the kernels use. Whoever owns them wipes them.
struct GhashPowers {
  // For exponents up to 2^32 + 31: those of a message's blocks and of a warp's lanes. They are written in
  // digits of three bits, each of which costs one multiplication.
  static constexpr int kDigits = 11, kDigitBits = 3, kDigitValues = (1 << kDigitBits) - 1;
  // For exponents down to -255: those of a last group's positions that lie beyond the message's end.
  static constexpr int kNegative = 8;

  Gf128Factor within[7];               // H^32, H^64 … H^224: from a thread's block to its last in the group
  Gf128Factor group;                   // H^256: from one group to the next
  Gf128 digit[kDigits][kDigitValues];  // H^(d * 8^i) for d = 1 to 7
  Gf128 negative[kNegative];           // H^-(2^i)

  /// The power for a thread's block that has `later` more of the thread's blocks behind it in the group.
  WARPAES_HOST_DEVICE const Gf128Factor& of_thread(uint32_t later) const { return within[later - 1]; }
  /// The power from a thread's last block of a group to its first of the next group, if it has `blocks` in
  /// each.
  WARPAES_HOST_DEVICE const Gf128Factor& across_shares(uint32_t blocks) const { return within[8 - blocks]; }
  /// H^(2^i)
  WARPAES_HOST_DEVICE const Gf128& square(int i) const {
    return digit[i / kDigitBits][(1 << i % kDigitBits) - 1];
  }
  /// H in the form of POLYVAL.
  WARPAES_HOST_DEVICE const Gf128& h() const { return digit[0][0]; }
  /// H^32, from one block to the one in the same lane of the next 32.
  WARPAES_HOST_DEVICE const Gf128Factor& warp() const { return within[0]; }
};

/// @param h E_K(0^128), as gf128_from_block reads it
inline void fill_powers(GhashPowers& powers, Gf128 h) {
  Gf128 power = ghash_key(h), inverse = gf128_inverse(power);
  for (auto& digit : powers.digit) {
    digit[0] = power;
    for (int d = 1; d < GhashPowers::kDigitValues; d++) digit[d] = gf128_multiply(digit[d - 1], power);
    power = gf128_multiply(digit[GhashPowers::kDigitValues - 1], power);
  }
  for (Gf128& p : powers.negative) {
    p = inverse;
    inverse = gf128_multiply(inverse, inverse);
  }
  const Gf128 h32 = powers.square(5);
  Gf128 step = h32;
  for (Gf128Factor& factor : powers.within) {
    factor = gf128_factor(step);
    step = gf128_multiply(step, h32);
  }
  powers.group = gf128_factor(powers.square(8));
}

/// Which side of the XOR with the key stream is ciphertext, as that is what GHASH reads.
enum class Hashed { nothing, output, input };

WARPAES_HOST_DEVICE Gf128 multiply_reduced(Gf128 a, const Gf128Factor& b) {
  Gf128Sum sum;
  sum.add(a, b);
  return sum.reduced();
}

/// value * H^exponent. A negative exponent takes back the factors of positions that the message does not
/// have.
WARPAES_HOST_DEVICE Gf128 times_power(Gf128 value, int64_t exponent, const GhashPowers& powers) {
  WARPAES_KEEP_ROLLED
  for (int i = 0; exponent > 0; exponent >>= GhashPowers::kDigitBits, i++) {
    const int digit = static_cast<int>(exponent) & GhashPowers::kDigitValues;
    if (digit != 0) value = gf128_multiply(value, powers.digit[i][digit - 1]);
  }
  uint32_t back = static_cast<uint32_t>(-exponent);  // of a negative one: it is 0 after the loop above
  WARPAES_KEEP_ROLLED
  for (int i = 0; back != 0; back >>= 1, i++) {
    if (back & 1) value = gf128_multiply(value, powers.negative[i]);
  }
  return value;
}

/// The sum over the warp's lanes of value * H^(31 - lane), in every lane.
template <class Thread>
WARPAES_HOST_DEVICE Gf128 sum_of_lanes(Thread& thread, Gf128 value, const GhashPowers& powers) {
  WARPAES_KEEP_ROLLED
  for (int bit = 0; bit < 5; bit++) {
    if (((kWarpLanes - 1 - thread.lane()) >> bit) & 1) value = gf128_multiply(value, powers.square(bit));
  }
  return exclusive_or_of_lanes(thread, value);
}

template <class Thread>
WARPAES_HOST_DEVICE Gf128 exclusive_or_of_lanes(Thread& thread, Gf128 value) {
  return {thread.exclusive_or(value.lo), thread.exclusive_or(value.hi)};
}

/// The power of H that a lane multiplies its part of a run's hash by. The product of its digits takes as long
/// as several blocks of the cipher, one multiplication after the other, so it is made before the run, while
/// data or other kernels are waited for. It is kept in shared memory, as there are no registers for it.
class LanePower {
 public:
  /// How much of shared memory a warp's powers need.
  static constexpr uint32_t kBytesOfWarp = kWarpLanes * sizeof(Gf128);

  /// @param shared where the powers of the thread block begin, a multiple of 16
  template <class Thread>
  WARPAES_HOST_DEVICE LanePower(Thread& thread, uint8_t* shared)
      : power_(reinterpret_cast<Gf128*>(shared) + thread.index()) {}

  /// Makes the power for a run.
  /// @param exponent that of the run's last block, which lane 31 has
  template <class Thread>
  WARPAES_HOST_DEVICE void prepare(Thread& thread, int64_t exponent, const GhashPowers& powers) const {
    *power_ = times_power(gf128_one(), exponent + (kWarpLanes - 1 - thread.lane()), powers);
  }

  /// The sum over the warp's lanes of value * H^(exponent + 31 - lane), in every lane. The power is zeroed,
  /// as it depends on the key.
  template <class Thread>
  WARPAES_HOST_DEVICE Gf128 use(Thread& thread, Gf128 value) const {
    const Gf128 sum = exclusive_or_of_lanes(thread, gf128_multiply(value, *power_));
    volatile uint64_t* const used = reinterpret_cast<uint64_t*>(power_);
    used[0] = 0;
    used[1] = 0;
    return sum;
  }

 private:
  Gf128* const power_;
};

}  // namespace warpaes::core
