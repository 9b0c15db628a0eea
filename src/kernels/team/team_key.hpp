// What a team of lanes needs of a key, and how a team computes that from the bytes of the key.
//
// A team is 8, 16 or 32 neighbouring lanes of a warp that work on one message: with L lanes, lane l has the
// blocks l, l + L, l + 2L and so on. So each access of a team is L * 16 consecutive bytes. Its hash is one
// sum a lane, by Horner's rule with H^L and four rows at a time; at the end each lane's sum is multiplied by
// the lane's power of H.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/ghash.hpp"
#include "kernels/warp/key_words.hpp"

namespace warpaes::core {

constexpr uint32_t kSmallestTeam = 8;

/// Powers of H for teams of L lanes.
struct TeamPowers {
  Gf128Factor within[3];  // H^3L, H^2L, H^L: from a block of a group of four rows to the group's last
  Gf128Factor group;      // H^4L
  Gf128 h, h_squared;
};

struct alignas(16) TeamKey {
  RoundKeys keys;
  TeamPowers powers;
};

/// H^(L - 1 - l), by which the sum of lane l of L is multiplied.
WARPAES_HOST_DEVICE Gf128 lane_weight(Gf128 h, uint32_t lanes, uint32_t lane) {
  Gf128 weight = gf128_one();
  WARPAES_KEEP_ROLLED
  for (uint32_t exponent = lanes - 1 - lane; exponent != 0; exponent /= 2, h = gf128_multiply(h, h)) {
    if (exponent & 1) weight = gf128_multiply(weight, h);
  }
  return weight;
}

/// @param h the H of POLYVAL, as ghash_key() computes it
WARPAES_HOST_DEVICE void fill_team_powers(TeamPowers& powers, Gf128 h, uint32_t lanes) {
  const Gf128 h_squared = gf128_multiply(h, h);
  Gf128 power = h_squared;
  WARPAES_KEEP_ROLLED
  for (uint32_t exponent = 2; exponent < lanes; exponent *= 2) power = gf128_multiply(power, power);
  const Gf128 twice = gf128_multiply(power, power);
  const Gf128 thrice = gf128_multiply(twice, power), fourfold = gf128_multiply(twice, twice);
  powers.within[0] = gf128_factor(thrice);
  powers.within[1] = gf128_factor(twice);
  powers.within[2] = gf128_factor(power);
  powers.group = gf128_factor(fourfold);
  powers.h = h;
  powers.h_squared = h_squared;
}

/// Round keys without room for those of longer keys.
template <int Rounds>
struct alignas(16) ExpandedKey {
  uint32_t word[4 * (Rounds + 1)];
};

/// KeyExpansion() (FIPS 197 section 5.2) by one lane, with the S-box of its own table.
/// @param keys at a multiple of 16 bytes
/// @param key 4, 6 or 8 words for 10, 12 or 14 rounds
/// @param writes false in lanes for which another lane writes the same
/// @tparam Keys ExpandedKey or RoundKeys
/// @tparam Lane LanePrivateTables or LanePrivateSbox
template <int Rounds, class Keys, class Lane>
WARPAES_HOST_DEVICE void expand_key(Keys& keys, const Lane& tables, const uint32_t (&key)[Rounds - 6],
                                    bool writes) {
  struct alignas(16) OneRound {
    uint32_t word[4];
  };
  constexpr int kWords = 4 * (Rounds + 1), kKeyWords = Rounds - 6;
  uint32_t w[kWords];
  uint32_t round_constant = 1;
  WARPAES_UNROLL
  for (int i = 0; i < kWords; i++) {
    if (i < kKeyWords) {
      w[i] = key[i];
    } else {
      const uint32_t word = key_expansion_step<kKeyWords>(tables, w[i - 1], i, round_constant);
      w[i] = w[i - kKeyWords] ^ word;
    }
    if (i % 4 == 3 && writes) {
      reinterpret_cast<OneRound*>(keys.word)[i / 4] = {{w[i - 3], w[i - 2], w[i - 1], w[i]}};
    }
  }
}

/// The same of a key that lies in memory.
/// @param from 16, 24 or 32 bytes at any address. If it is null, the message is refused and its key does not
///        matter
template <int Rounds, class Keys, class Lane>
WARPAES_HOST_DEVICE void expand_key_at(Keys& keys, const Lane& tables, const uint8_t* from, bool writes) {
  if (from == nullptr) return;
  const KeyWords<Rounds - 6> key(from);
  expand_key<Rounds>(keys, tables, key.word, writes);
}

/// How many messages' keys a warp can have in shared memory at once: one for each of its smallest teams at
/// least. The more there are, the fewer of the warp's lanes are idle when it prepares keys.
constexpr uint32_t kFewestSlots = kWarpLanes / kSmallestTeam;

/// Do eight lanes that store 16 bytes into places of so many bytes each, or four teams that load from them,
/// use different banks?
constexpr bool is_free_of_conflicts(size_t bytes) { return bytes % 16 == 0 && bytes / 16 % 2 == 1; }

/// The policy with as many slots for each warp as there is shared memory for.
/// @param most not more than so many: a multiple of kFewestSlots
WARPAES_HOST_DEVICE constexpr kernels::KernelPolicy with_slots(kernels::KernelPolicy policy,
                                                               const LaunchPolicy& on, uint32_t most,
                                                               size_t slot_bytes) {
  const uint32_t warps = policy.threads / kWarpLanes, left = on.most_shared_bytes - policy.shared_bytes;
  const auto bytes = [&](uint32_t slots) { return warps * slots * static_cast<uint32_t>(slot_bytes); };
  policy.slots = most;
  while (policy.slots > kFewestSlots && bytes(policy.slots) > left) policy.slots -= kFewestSlots;
  policy.shared_bytes += bytes(policy.slots);
  return policy;
}

}  // namespace warpaes::core
