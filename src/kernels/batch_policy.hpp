// How the kernels for batches and small messages use a GPU, from what the other kernels' policy says of it.
#pragma once

#include "kernels/chained_aead.hpp"
#include "kernels/inverse_lane_key.hpp"
#include "kernels/launch_policy.hpp"
#include "kernels/ocb_key_each.hpp"
#include "kernels/small_message.hpp"
#include "kernels/team_key.hpp"

namespace warpaes {

struct BatchPolicy {
  int tables;
  uint32_t threads;
  uint32_t shared_bytes;
};

WARPAES_HOST_DEVICE constexpr BatchPolicy one_key_policy(const LaunchPolicy& policy) {
  return {policy.tables, static_cast<uint32_t>(policy.counter_threads), shared_bytes(policy)};
}

/// Each team's key lies behind the tables. Of 99 KiB, 64 are tables and 28.75 the keys of 640 threads.
WARPAES_HOST_DEVICE constexpr BatchPolicy key_each_policy(const LaunchPolicy& policy) {
  const uint32_t most = policy.tables == 4 ? 768 : 640;
  const uint32_t given = static_cast<uint32_t>(policy.counter_threads), threads = given < most ? given : most;
  const int tables = policy.tables_beside_one;
  const uint32_t key_bytes = threads / kSmallestTeam * static_cast<uint32_t>(sizeof(TeamKey));
  return {tables, threads, static_cast<uint32_t>(tables) * kTableBytes + key_bytes};
}

/// Two blocks at work in each lane need more registers than one, and fewer lanes to hide latency: 512
/// threads leave 128 each, 384 leave 168. A key of 192 bits that a lane expands has a window that is no
/// multiple of a round key.
WARPAES_HOST_DEVICE constexpr BatchPolicy chained_aead_policy(const LaunchPolicy& policy, ChainedAead mode,
                                                              LaneKeys keys, int rounds) {
  int threads = policy.codebook_threads < 512 ? policy.codebook_threads : 512;
  if (keys == LaneKeys::each) {
    const int most = rounds == 12 ? 384 : mode == ChainedAead::eax ? policy.eax_key_each_threads : 512;
    if (threads > most) threads = most;
  }
  return {policy.tables, static_cast<uint32_t>(threads), shared_bytes(policy)};
}

/// A lane that expands a key of its own needs more registers: 640 threads leave 96 each, and 512, for those
/// that walk a key's schedule backwards, keep a tweak beside a tile of their message or pad it, 128. Where
/// the inverse cipher has a table of the cipher beside it, there is room for fewer of its own.
WARPAES_HOST_DEVICE constexpr BatchPolicy message_lanes_policy(const LaunchPolicy& policy, LaneKeys keys,
                                                               CipherMode mode = CipherMode::ctr) {
  const bool ends = pads(mode) || steals(mode);
  const bool keeps_more = is_xts(mode) || ends || (inverts_cipher(mode) && !wraps_keys(mode));
  // Both, and 128 spill where XTS of one message needs more than 80, too.
  const bool keeps_most = is_xts(mode) && inverts_cipher(mode) && policy.xts_threads < 768;
  // What pads or steals needs more than 80 where XTS of one message does.
  const int most_of_one_key = ends && policy.xts_threads < 768 ? 640 : 768;
  const int most = keys == LaneKeys::one ? most_of_one_key : keeps_most ? 384 : keeps_more ? 512 : 640;
  const int threads = policy.codebook_threads < most ? policy.codebook_threads : most;
  const bool both_ways = needs_both_ways(keys, mode);
  return {both_ways ? policy.tables_beside_one : policy.tables, static_cast<uint32_t>(threads),
          both_ways ? shared_bytes_beside_one(policy) : shared_bytes(policy)};
}

/// One long GCM-SIV message.
WARPAES_HOST_DEVICE constexpr BatchPolicy siv_long_policy(const LaunchPolicy& policy) {
  const int threads =
      policy.counter_threads < policy.siv_threads ? policy.counter_threads : policy.siv_threads;
  return {policy.tables, static_cast<uint32_t>(threads), shared_bytes(policy)};
}

/// OCB3, like XTS: decrypting, a table of the cipher beside those of its inverse.
WARPAES_HOST_DEVICE constexpr BatchPolicy ocb_policy(const LaunchPolicy& policy,
                                                     warpaes_direction direction) {
  const int threads =
      policy.codebook_threads < policy.ocb_threads ? policy.codebook_threads : policy.ocb_threads;
  const bool encrypts = direction == WARPAES_ENCRYPT;
  return {encrypts ? policy.tables : policy.tables_beside_one, static_cast<uint32_t>(threads),
          encrypts ? shared_bytes(policy) : shared_bytes_beside_one(policy)};
}

/// OCB3 with a key each: as many teams as shared memory has slots for beside the tables, and fewer tables
/// rather than few warps.
WARPAES_HOST_DEVICE constexpr BatchPolicy ocb_key_each_policy(const LaunchPolicy& policy,
                                                              warpaes_direction direction) {
  const bool encrypts = direction == WARPAES_ENCRYPT;
  const uint32_t slot = encrypts ? sizeof(OcbEncryptionSlot) : sizeof(OcbDecryptionSlot);
  const uint32_t most = ocb_policy(policy, direction).threads;
  for (int tables = policy.tables_beside_one;; tables /= 2) {
    const uint32_t before_slots =
        static_cast<uint32_t>(tables) * kTableBytes + (encrypts ? 0 : LanePrivateSbox::kBytes);
    const uint32_t slots = (policy.most_shared_bytes - before_slots) / slot;
    const uint32_t fit = slots * kSmallestTeam / 128 * 128, threads = fit < most ? fit : most;
    if (tables > 1 && threads < most && threads < 384) continue;
    return {tables, threads, before_slots + threads / kSmallestTeam * slot};
  }
}

/// Threads of a block that has a small message or a part of one.
constexpr uint32_t kSmallThreads = 256;
constexpr uint32_t kSmallSharedBytes = kTableBytes + static_cast<uint32_t>(sizeof(SmallScratch));

WARPAES_HOST_DEVICE constexpr uint32_t small_threads(const LaunchPolicy& policy) {
  const uint32_t threads = static_cast<uint32_t>(policy.codebook_threads);
  return threads < kSmallThreads ? threads : kSmallThreads;
}

}  // namespace warpaes
