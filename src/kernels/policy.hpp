// How the production kernels use a GPU, as data: a row for each architecture that differs from those before
// it. A kernel's policy() (kernel.hpp) derives the size of its thread blocks from the row.
//
// Most numbers are threads of a thread block, for kernels of which a multiprocessor runs one block at a time,
// because its tables take all shared memory. Each number is the largest with which the compiler spills no
// register on that architecture. A spill fails the build, because registers hold key material. A
// multiprocessor has 65,536 registers: 768 threads have 80 each, 640 have 96, 512 have 128, 384 have 168 and
// 256 have 255. It has four schedulers, so a number of warps that is no multiple of 4 gains nothing.
#pragma once

#include <cstdint>

namespace warpaes::core {

constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kTableBytes = 32768;

/// How a hybrid kernel divides its warps and a message's groups of blocks: some warps look up tables and the
/// others compute on bit planes, because look-ups leave the logic units half idle.
struct HybridSplit {
  int threads = 0;              // of a thread block; 0: the architecture has no hybrid kernel
  int table_warps = 0;          // how many warps of a thread block look up tables
  int sliced_permille[3] = {};  // how many of 1000 groups go to the other warps: AES-128, AES-192, AES-256
  uint32_t from_groups = 0;     // shorter messages go to the kernel that has tables only
};

struct LaunchPolicy {
  /// 10 * major + minor of the first compute capability that the row is for.
  int capability;

  /// How many rotations of the T-table are kept in shared memory, 32 KiB each: 4 where a thread block can
  /// have 163 KiB or more; 2 where it can have 64 or 99 KiB, and then the other two are made by rotating what
  /// was looked up by 16 bits.
  int tables;
  /// The same for kernels that keep more in shared memory than these tables: one of the other direction,
  /// keys, or powers of H.
  int tables_with_room;
  /// The most shared memory that a thread block can have.
  uint32_t most_shared_bytes;

  // Kernels in which all warps share a message.
  /// CTR and GCM of one message, and GCM of many messages under one key. Where the GPU or the compiler lacks
  /// the carry-less multiply-add instruction, a product of GHASH is some fifty integer multiplications, which
  /// need many registers.
  int counter_threads;
  /// GCM of one message, whose lanes find their powers of H beside the tables, which takes more registers on
  /// some GPUs. 0: as many as counter_threads.
  int lane_power_threads = 0;
  int gcm_siv_threads;
  int ocb_threads = 768;
  int xts_threads = 768;
  /// ECB and the parallel decryption of CBC and CFB need few registers.
  int ecb_threads = 768;
  /// A batch of long messages that has as many groups of 256 blocks or more is shared as if it were one
  /// message. With fewer, that would gain less than it takes to plan it.
  uint32_t listed_from_groups = 8192;
  /// How many threads a thread block of the kernel for small messages has; each takes about one block of the
  /// cipher.
  int small_threads = 256;

  // Kernels in which a team of 8 to 32 lanes works on a message.
  /// GCM under per-message keys, and GCM-SIV, which derives keys for each message. What belongs to such a key
  /// takes up to 400 bytes behind the tables, and each warp needs room for four. Beside 64 KiB of tables in
  /// 99 KiB, or 128 KiB of them in 163 KiB, there is enough for 640 threads and too little for 768. (OCB3
  /// under per-message keys has larger ones, and works out for how many threads there is room.)
  int team_key_threads;

  // Kernels in which each lane has a message.
  int lane_threads = 768;
  /// A lane that pads or steals ciphertext keeps a second block.
  int lane_padding_threads = 768;
  /// A lane that expands its message's own key keeps a window of the key schedule in registers.
  int lane_key_threads = 640;
  /// A lane with a message's own key that also walks the schedule backwards for the inverse cipher, keeps a
  /// tweak, or pads.
  int lane_key_more_threads = 512;
  /// A lane with a message's own key that does two of these: it walks the schedule backwards and keeps a
  /// tweak.
  int lane_key_xts_decrypt_threads = 512;
  /// CCM and EAX have two blocks at work in each lane.
  int lane_aead_threads = 512;
  /// EAX under per-message keys.
  int lane_key_eax_threads = 384;
  /// CCM and EAX under per-message keys of 192 bits, whose window of the schedule is no multiple of a round
  /// key.
  int lane_key_192_aead_threads = 384;

  // Kernels on bit planes, which need no tables.
  int bitsliced_threads = 256;
  /// How many thread blocks run on a multiprocessor at the same time.
  int bitsliced_blocks = 3, bitsliced_xts_blocks = 3;
  /// CTR and GCM on bit planes run one thread block on a multiprocessor, with 8.5 KiB of shared memory for
  /// each warp.
  int bitsliced_counter_threads;

  HybridSplit ctr_hybrid = {}, gcm_hybrid = {};
};

/// The same row for code without the carry-less multiply-add. It changes the kernels that contain GHASH, and
/// those that need more registers with compilers that lack the instruction.
constexpr LaunchPolicy without_carryless_multiply_add(LaunchPolicy row) {
  row.counter_threads = row.gcm_siv_threads = row.team_key_threads = 256;
  row.lane_power_threads = 0;
  row.xts_threads = 256;
  row.bitsliced_counter_threads = 192;
  row.lane_padding_threads = 640;
  row.lane_key_xts_decrypt_threads = 384;
  row.ctr_hybrid = row.gcm_hybrid = {};
  return row;
}

/// The row of another compute capability with the same multiprocessors.
constexpr LaunchPolicy same_for(int capability, LaunchPolicy row) {
  row.capability = capability;
  return row;
}

namespace policies {

/// Turing: 64 KiB of shared memory, and no carry-less multiply-add.
inline constexpr LaunchPolicy kTuring = without_carryless_multiply_add({.capability = 75,
                                                                        .tables = 2,
                                                                        .tables_with_room = 1,
                                                                        .most_shared_bytes = 64 * 1024,
                                                                        .counter_threads = 256,
                                                                        .gcm_siv_threads = 256,
                                                                        .team_key_threads = 256,
                                                                        .bitsliced_xts_blocks = 1,
                                                                        .bitsliced_counter_threads = 192});
/// Ampere for data centres (A100).
inline constexpr LaunchPolicy kAmpere{.capability = 80,
                                      .tables = 4,
                                      .tables_with_room = 4,
                                      .most_shared_bytes = 163 * 1024,
                                      .counter_threads = 640,
                                      .gcm_siv_threads = 640,
                                      .team_key_threads = 640,
                                      .bitsliced_counter_threads = 512};
/// Ampere for workstations: 99 KiB of shared memory.
inline constexpr LaunchPolicy kSmallAmpere{.capability = 86,
                                           .tables = 2,
                                           .tables_with_room = 2,
                                           .most_shared_bytes = 99 * 1024,
                                           .counter_threads = 640,
                                           .gcm_siv_threads = 640,
                                           .team_key_threads = 640,
                                           .bitsliced_counter_threads = 320};
/// Hopper. The splits of the hybrid kernels were found on an H200. No other row has hybrid kernels, because
/// nobody has measured there what look-ups leave idle.
inline constexpr LaunchPolicy kHopper{.capability = 90,
                                      .tables = 4,
                                      .tables_with_room = 4,
                                      .most_shared_bytes = 227 * 1024,
                                      .counter_threads = 768,
                                      .gcm_siv_threads = 768,
                                      .team_key_threads = 768,
                                      .lane_key_eax_threads = 512,
                                      .bitsliced_counter_threads = 512,
                                      .ctr_hybrid = {768, 16, {225, 225, 225}, 32768},
                                      .gcm_hybrid = {768, 20, {137, 145, 152}, 32768}};
/// Blackwell for data centres (B200, B300). The compiler takes more registers for it than for Hopper.
inline constexpr LaunchPolicy kBlackwell{.capability = 100,
                                         .tables = 4,
                                         .tables_with_room = 4,
                                         .most_shared_bytes = 227 * 1024,
                                         .counter_threads = 640,
                                         .lane_power_threads = 512,
                                         .gcm_siv_threads = 640,
                                         .ocb_threads = 512,
                                         .xts_threads = 512,
                                         .team_key_threads = 640,
                                         .lane_padding_threads = 640,
                                         .lane_key_xts_decrypt_threads = 384,
                                         .bitsliced_xts_blocks = 2,
                                         .bitsliced_counter_threads = 512};
/// Blackwell in Jetson Thor.
inline constexpr LaunchPolicy kThor{.capability = 110,
                                    .tables = 4,
                                    .tables_with_room = 4,
                                    .most_shared_bytes = 227 * 1024,
                                    .counter_threads = 768,
                                    .lane_power_threads = 512,
                                    .gcm_siv_threads = 640,
                                    .ocb_threads = 512,
                                    .xts_threads = 512,
                                    .team_key_threads = 640,
                                    .lane_padding_threads = 640,
                                    .lane_key_xts_decrypt_threads = 384,
                                    .bitsliced_xts_blocks = 2,
                                    .bitsliced_counter_threads = 512};
/// Blackwell for workstations: 99 KiB of shared memory.
inline constexpr LaunchPolicy kSmallBlackwell{.capability = 120,
                                              .tables = 2,
                                              .tables_with_room = 2,
                                              .most_shared_bytes = 99 * 1024,
                                              .counter_threads = 640,
                                              .lane_power_threads = 512,
                                              .gcm_siv_threads = 640,
                                              .ocb_threads = 512,
                                              .xts_threads = 512,
                                              .team_key_threads = 640,
                                              .lane_padding_threads = 640,
                                              .lane_key_threads = 512,
                                              .lane_key_xts_decrypt_threads = 384,
                                              .bitsliced_xts_blocks = 2,
                                              .bitsliced_counter_threads = 320};

/// All rows in ascending order of compute capability.
inline constexpr LaunchPolicy kAll[] = {kTuring,
                                        kAmpere,
                                        kSmallAmpere,
                                        same_for(87, kAmpere),       // Jetson Orin
                                        same_for(89, kSmallAmpere),  // Ada
                                        kHopper,
                                        kBlackwell,
                                        kThor,
                                        kSmallBlackwell};

}  // namespace policies

/// The last row that is not above the given capability or, for a GPU older than all rows, the first.
/// @param capability 10 * major + minor of the code that runs, as __CUDA_ARCH__ / 10 gives it
/// @param clmad does the compiler know the carry-less multiply-add (WARPAES_NVCC_HAS_CLMAD)?
constexpr LaunchPolicy policy_for(int capability, bool clmad) {
  LaunchPolicy found = policies::kTuring;
  for (const LaunchPolicy& row : policies::kAll) {
    if (row.capability <= capability) found = row;
  }
  return clmad ? found : without_carryless_multiply_add(found);
}

}  // namespace warpaes::core
