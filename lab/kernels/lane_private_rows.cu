// Tables of which each lane has its own copy, and addresses that one instruction makes.
//
// Idea. With 32 copies of a table no bank is shared (see replicated_t_table), but a look-up is still four
// things: take the byte out of the word, multiply it by the row's length, add the lane's place, load; and
// for three of four rotate. Here a row is 256 bytes: 32 copies of T0's entry, then 32 copies of T1's. The
// address of the entry for byte j of w is then, byte by byte,
//
//     byte 0: 4 * lane      byte 1: byte j of w      bytes 2 and 3: zero
//
// which is one byte permutation (PRMT) of w and a register that holds 4 * lane. T1 is 128 bytes further on,
// which the load takes as its constant offset. So a look-up is PRMT and LDS, with half a three-input XOR to
// add it.
//
// Threads and memory. 64 KiB a block: the most that a block has on every GPU from Turing on. T2 and T3 are
// T0 and T1 rotated by 16 bits (two rows more, 128 KiB, would spare that: production does so where there is
// room). Filling 64 KiB is slow, so blocks of threads stay for the whole message. Rounds are unrolled:
// round keys then are operands from constant memory at known addresses.
//
// What limits it. Shared memory's data path: 32 look-ups of 4 bytes a clock on each multiprocessor, and the
// data's own 16-byte loads and stores pass through it as well, each worth four look-ups. An H200 was
// measured at 8.32 T look-ups/s, so that ECB with AES-128, 160 + 8 a block, cannot exceed 792 GB/s there.
// Before that bound is reached, instructions count: in CTR an H200's ALUs are busier than the data path
// (docs/course/06-bank-conflicts.md has the counters). To get further, look-ups must disappear: see
// counter_caching.
//
// Timing class: conflict-free. Addresses depend on secrets, banks do not.
//
// Source: this project; the replication is C. Tezcan's (IEEE Access 2021).
#include <type_traits>

#include "lab/gpu_lesson.cuh"
#include "lab/lane_private_rows.hpp"
#include "lab/message_blocks.hpp"

namespace warpaes::core::lab::lane_private_rows {
namespace {

template <Use Wanted, int Rounds>
struct Kernel : CipherKernel {
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return LanePrivateRows::kBytes; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    LanePrivateRows::fill<kInverse>(thread);
    thread.barrier();

    using Tables = std::conditional_t<kInverse, LanePrivateDecryption, LanePrivateEncryption>;
    const Tables tables(thread.shared(), thread.lane());
    const auto key = [&](int word) { return message.keys.word[word]; };
    crypt_message<Wanted>(thread, message, [&](Columns block) {
      return t_table_rounds_unrolled<kInverse, Rounds, 1>(tables, key, add_first_key(key, block));
    });
  }
};

template <int Rounds>
struct OfRounds {
  template <Use Wanted>
  using KernelOfUse = Kernel<Wanted, Rounds>;
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    switch (variant.key_bits) {
      case 128:
        return choose_use<OfRounds<10>::KernelOfUse>(variant, visit);
      case 192:
        return choose_use<OfRounds<12>::KernelOfUse>(variant, visit);
      default:
        return choose_use<OfRounds<14>::KernelOfUse>(variant, visit);
    }
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "lane_private_rows",
    .idea = "rows of 256 bytes with a copy for each lane: a look-up's address is one byte permutation",
    .source = "this project, after C. Tezcan, IEEE Access 2021",
    .measured = "a proof of concept with 128 KiB of tables, AES-128 ECB: 773 GB/s (NVIDIA H200)",
    .timing = WARPAES_TIMING_CONFLICT_FREE,
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
    .shape = {.threads = 512},
});

}  // namespace warpaes::core::lab::lane_private_rows
