// Key expansion on the GPU by a single thread.
//
// Idea. Each word of the schedule needs the one before it, so one thread computes all of them, as a CPU would
// (FIPS 197 algorithm 2). The key never has to be expanded on the host, and the schedule is where the
// cipher's kernel will read it.
//
// Threads and memory. A block of threads takes a key; its first thread works, and the others wait. If the
// S-box lies in constant memory, that is good for once: one thread asks for one address at a time, which is
// what the constant cache serves. Words are read back from global memory, through the first-level cache.
//
// What limits it. Latency, all of it. 10 SubWords in a row for AES-128 (8 for 192 bits, 13 for 256), and
// between them XORs that wait for each other: a few thousand clocks at some 2 GHz, where a CPU takes as long
// as it takes to launch a kernel at all. 31 of 32 lanes do nothing, and all multiprocessors but one.
//
// What for, then? To have it said: the work is too small and too serial for a GPU, unless there are many keys
// (key_expansion_in_batch).
//
// Timing class: leaky. Bytes of the key are addresses of the S-box.
//
// Source: Y. Asseged, course report, Minnesota (EE 5351): one thread of each block, for the block's own use.
#include "lab/key_expansion.hpp"

namespace warpaes::core::lab::key_expansion_by_one_thread {
namespace {

struct Kernel : KeyExpansionKernel {
  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const KeyExpansionArguments& arguments) {
    if (thread.index() != 0) return;
    for (uint64_t i = thread.block(); i < arguments.count; i += thread.block_count()) {
      expand_key(arguments, arguments.key(i), arguments.schedule(i),
                 [](uint32_t byte) { return constant_box<false>(byte); });
    }
  }
};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = key_expansion_lesson<Kernel>({
    .name = "key_expansion_by_one_thread",
    .idea = "FIPS 197's algorithm by one thread of a block, while all others wait",
    .source = "Y. Asseged, course report, Minnesota",
    .measured = "",
    .shape = {.threads = 32},
});

}  // namespace warpaes::core::lab::key_expansion_by_one_thread
