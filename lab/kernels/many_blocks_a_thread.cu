// Several blocks of AES a thread, all at work at the same time: 16, 32, 64 or 128 bytes a thread.
//
// Idea. In a round each look-up waits for the round before. A thread that has one block waits with it. A
// thread that has several, and does a round of each before it goes on to the next round, has that many
// look-ups on their way: while one block's arrive, another's are asked for. That is parallelism within a
// thread, where the GPU otherwise takes it from other warps.
//
// Threads and memory. T-tables in shared memory. Each thread holds n states in registers, 4 words each. A
// warp takes 32 x n blocks that follow each other; a thread's are 32 apart, so that each of the warp's n
// loads is contiguous. (Blocks that follow each other in one thread would be loads of every n-th 16 bytes.)
// Tables are copied once for n times as many blocks.
//
// What limits it. Shared memory's data path, once there are enough look-ups on their way: then more blocks
// a thread gain nothing. Against them: registers, so that fewer warps fit on a multiprocessor; code, which
// is unrolled n times and has to fit into the instruction cache; with 8 blocks and up to 1024 threads there
// are 64 registers a thread, and what does not fit is spilled to local memory (`lab run` shows how much);
// and fewer threads, so that a short message does not fill the GPU. Sweep --blocks-per-thread and --threads
// together: they can replace each other, to a degree.
//
// What others found: 16 bytes a thread best (Iwai and others, GTX 285, about 35 Gbps); 32 bytes best on
// later GPUs (Abdelrahman and others); one block best for a byte-wise kernel (T. Nelms, GTX 1650).
//
// Timing class: leaky, as T-tables in shared memory are.
//
// Source: Iwai and others, as cited by AES-ON-GPU; Abdelrahman and others (Computing Conference 2017).
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/shared_t_tables.hpp"

namespace warpaes::core::lab::many_blocks_a_thread {
namespace {

template <Use Wanted, uint32_t Blocks>
struct Kernel : CipherKernel {
  static uint32_t shared_bytes(const Variant& /*variant*/) { return sizeof(SharedTTables); }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    auto& tables = *reinterpret_cast<SharedTTables*>(thread.shared());
    tables.template fill<kInverts<Wanted>>(thread);
    thread.barrier();

    const uint64_t threads = static_cast<uint64_t>(thread.block_count()) * thread.count();
    const uint64_t warp =
        static_cast<uint64_t>(thread.block()) * thread.count() + thread.index() - thread.lane();
    for (uint64_t first = warp * Blocks; first < message.blocks(); first += threads * Blocks) {
      crypt_blocks(tables, message, first + thread.lane());
    }
  }

  /// Blocks i, i + 32, i + 64 and so on, round by round.
  WARPAES_HOST_DEVICE static void crypt_blocks(const SharedTTables& tables, const CipherArguments& message,
                                               uint64_t i) {
    constexpr bool kInverse = kInverts<Wanted>;
    const auto key = [&](int word) { return message.keys.word[word]; };
    Columns state[Blocks];
    WARPAES_UNROLL
    for (uint32_t b = 0; b < Blocks; b++) {
      const uint64_t block = i + kWarpLanes * b;
      state[b] =
          add_first_key(key, Wanted == Use::ctr ? counter_block(message, block) : load_block(message, block));
    }
    WARPAES_KEEP_ROLLED
    for (int round = 1; round < message.rounds; round++) {
      WARPAES_UNROLL
      for (uint32_t b = 0; b < Blocks; b++) state[b] = t_table_round<kInverse>(tables, key, round, state[b]);
    }
    WARPAES_UNROLL
    for (uint32_t b = 0; b < Blocks; b++) {
      const uint64_t block = i + kWarpLanes * b;
      state[b] = t_table_last_round<kInverse>(tables, key, message.rounds, state[b]);
      if (Wanted == Use::ctr) state[b] = state[b] ^ load_block(message, block);
      store_block(message, block, state[b]);
    }
  }
};

template <Use Wanted>
using Kernel1 = Kernel<Wanted, 1>;
template <Use Wanted>
using Kernel2 = Kernel<Wanted, 2>;
template <Use Wanted>
using Kernel4 = Kernel<Wanted, 4>;
template <Use Wanted>
using Kernel8 = Kernel<Wanted, 8>;

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    switch (variant.shape.blocks_per_thread) {
      case 1:
        return choose_use<Kernel1>(variant, visit);
      case 2:
        return choose_use<Kernel2>(variant, visit);
      case 4:
        return choose_use<Kernel4>(variant, visit);
      default:
        return choose_use<Kernel8>(variant, visit);
    }
  }
};

constexpr const Axis* kAxes[] = {&kThreads, &kBlocksPerThread};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "many_blocks_a_thread",
    .idea = "1 to 8 blocks a thread, round by round, so that one's look-ups hide the other's",
    .source = "Abdelrahman and others, Computing Conference 2017: 32 bytes a thread",
    .measured = "AES-128 ECB: 280 Gbps (GTX 1080), 207 Gbps (GTX Titan X)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
    .shape = {.blocks_per_thread = 2},
});

}  // namespace warpaes::core::lab::many_blocks_a_thread
