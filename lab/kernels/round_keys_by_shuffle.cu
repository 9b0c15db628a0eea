// Round keys in registers, spread over the lanes of a warp, T-tables in shared memory.
//
// Idea. A warp's 32 lanes can read each other's registers (shuffle). Round keys are 44 to 60 words: two
// registers a lane hold them all, lane l words l and l + 32. A lane that needs word i asks for it there. So
// round keys take no look-ups in any memory, and no lane has to keep them all.
//
// Threads and memory. As in t_tables_in_shared_memory but for the round keys. All lanes of a warp must take
// part in a shuffle, also those whose block lies behind the message's end: a lane that had left the loop
// would leave the others waiting. So warps stay whole to the end, and what such a lane computes is not
// stored.
//
// What limits it. The T-tables' bank conflicts, as before: the keys were never what took time. All lanes
// want the same word, and for that constant memory is as good as it gets (a broadcast, and the XOR takes it
// as an operand). A shuffle is an instruction of its own and passes through the same data path as shared
// memory, so it adds to the queue that it was meant to shorten.
//
// A lesson about hypotheses: the idea sounds right, and measuring says no. The report that it comes from
// found 869 against 840 ms (1 GB, NVIDIA L4) and said why.
//
// Timing class: leaky, as T-tables in shared memory are.
//
// Source: Abdelrahman and others (Computing Conference 2017); a course report (Q. Chen, Columbia 2024).
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/shared_t_tables.hpp"

namespace warpaes::core::lab::round_keys_by_shuffle {
namespace {

/// The round keys of a warp; its lanes must all ask for the same word at the same time.
template <class Thread>
class SpreadKeys {
 public:
  WARPAES_HOST_DEVICE SpreadKeys(Thread& thread, const RoundKeys& keys) : thread_(thread) {
    const uint32_t lane = thread.lane();
    low_ = keys.word[lane];
    high_ = lane + kWarpLanes < sizeof(keys) / 4 ? keys.word[lane + kWarpLanes] : 0;
  }

  WARPAES_HOST_DEVICE uint32_t operator()(int word) const {
    const auto i = static_cast<uint32_t>(word);
    return thread_.shuffle(i < kWarpLanes ? low_ : high_, i % kWarpLanes);
  }

 private:
  Thread& thread_;
  uint32_t low_, high_;
};

template <Use Wanted>
struct Kernel : CipherKernel {
  static uint32_t shared_bytes(const Variant& /*variant*/) { return sizeof(SharedTTables); }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    auto& tables = *reinterpret_cast<SharedTTables*>(thread.shared());
    tables.template fill<kInverse>(thread);
    thread.barrier();

    const SpreadKeys<Thread> key(thread, message.keys);
    crypt_message<Wanted>(thread, message, [&](Columns block) {
      return t_table_block<kInverse>(tables, key, message.rounds, block);
    });
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    choose_use<Kernel>(variant, visit);
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "round_keys_by_shuffle",
    .idea = "round keys in the lanes' registers, read by warp shuffle",
    .source = "Abdelrahman and others, 2017; Q. Chen, course report, Columbia 2024: gpu_warp_shuffle",
    .measured = "AES-128 ECB, 1 GB: 869 ms encrypting, 873 ms decrypting, copies included (NVIDIA L4)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::round_keys_by_shuffle
