// How the production kernels use a GPU, as data: one aggregate, chosen by compute capability.
#pragma once

#include <cstdint>

#include "primitives/gf128.hpp"

namespace warpaes {

/// Warps that compute on bit planes beside warps that look up tables, in one kernel: the logic units are what
/// the look-ups leave idle. 0 threads: not done.
struct BesideTables {
  int threads, table_warps;  // a block, and how many of its warps look up tables
  int sliced_permille;       // of the message's groups, for the others
  uint32_t from_groups;      // shorter messages go to tables alone
};

struct LaunchPolicy {
  /// Rotations of the T-table kept in shared memory, 32 KiB each: 4 where a block gets 163 KiB or more;
  /// 2 (the others are made by a 16-bit rotation of what was looked up) where it gets 64 or 99 KiB.
  int tables;
  /// Threads a block, one block a multiprocessor. ECB needs few registers.
  int codebook_threads;
  /// As many as leave the counter-mode kernels the registers they need without spilling, which the build
  /// checks: 768 leave 80 each, 640 leave 96, 256 leave 255 (multiprocessors have 65,536 in four parts, so
  /// a number of warps that is no multiple of 4 gains nothing).
  int counter_threads;
  /// Tables of one direction that leave room for one of the other: XTS decrypts data and encrypts tweaks.
  int tables_beside_one = 1;
  /// The most threads a block, and blocks a multiprocessor, of the bitsliced kernels, which need no shared
  /// memory: 80 registers a thread.
  int bitsliced_threads = 256, bitsliced_blocks = 3;
  /// Threads of the bitsliced counter-mode kernels, one block a multiprocessor: as many as leave enough
  /// registers, and 8.5 KiB of shared memory a warp.
  int sliced_counter_threads = 192;
  BesideTables ctr_beside = {}, gcm_beside = {};
  /// Of the XTS kernels, as many as do not spill: 768 leave 80 registers each, 512 leave 128, 256 all.
  int xts_threads = 768;
  /// Of the kernels for one long GCM-SIV message, as many as do not spill, and at most counter_threads.
  int siv_threads = 768;
  /// Of the OCB3 kernels, as many as do not spill.
  int ocb_threads = 768;
  /// That a block can have.
  uint32_t most_shared_bytes = 227 * 1024;
  /// Of the EAX kernel with a key each, as many as do not spill.
  int eax_key_each_threads = 384;
  /// Blocks a multiprocessor of the bitsliced XTS kernel, as many as do not spill.
  int bitsliced_xts_blocks = 3;
};

constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kTableBytes = 32768;

WARPAES_HOST_DEVICE constexpr int counter_threads(int major) {
  // Without the multiply-add, GHASH is some fifty integer multiplications a product.
  if (!WARPAES_NVCC_HAS_CLMAD || major < 8) return 256;
  return major == 8 || major == 10 ? 640 : 768;
}

/// @param capability 10 * major + minor of the code that runs, as __CUDA_ARCH__ / 10 gives it
WARPAES_HOST_DEVICE constexpr LaunchPolicy launch_policy(int capability) {
  const int major = capability / 10, minor = capability % 10;
  const bool large_shared_memory = (major == 8 && (minor == 0 || minor == 7)) || (major >= 9 && major < 12);
  LaunchPolicy policy{large_shared_memory ? 4 : 2, 768, counter_threads(major),
                      large_shared_memory ? 4 : (major >= 8 ? 2 : 1)};
  policy.most_shared_bytes = 1024 * (!large_shared_memory ? (major >= 8 ? 99 : 64) : major == 8 ? 163 : 227);
  if (major >= 8) policy.sliced_counter_threads = large_shared_memory ? 512 : 320;
  if (!WARPAES_NVCC_HAS_CLMAD) policy.sliced_counter_threads = 192;
  if (major > 9) policy.xts_threads = 512;
  if (major > 9 || major < 8) policy.bitsliced_xts_blocks = 2;
  if (major > 9) policy.siv_threads = 640;
  if (!WARPAES_NVCC_HAS_CLMAD || major < 8) policy.xts_threads = 256;
  if (major > 9) policy.ocb_threads = 512;
  if (major == 9) policy.eax_key_each_threads = 512;
  // Found on an H200; where it was not measured, nobody knows what the look-ups leave idle.
  if (major == 9 && WARPAES_NVCC_HAS_CLMAD) {
    policy.ctr_beside = {768, 16, 225, 32768};
    policy.gcm_beside = {768, 20, 137, 32768};
  }
  return policy;
}

WARPAES_HOST_DEVICE constexpr uint32_t shared_bytes(const LaunchPolicy& policy) {
  return static_cast<uint32_t>(policy.tables) * kTableBytes;
}

/// What XTS' decryption needs.
WARPAES_HOST_DEVICE constexpr uint32_t shared_bytes_beside_one(const LaunchPolicy& policy) {
  return static_cast<uint32_t>(policy.tables_beside_one + 1) * kTableBytes;
}

}  // namespace warpaes
