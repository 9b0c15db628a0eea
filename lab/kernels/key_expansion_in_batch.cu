// Key expansion in batch: a key for each thread.
//
// Idea. One schedule is a chain, but a thousand schedules are a thousand chains, and those have nothing to do
// with each other. A thread expands a key as a CPU would; a warp expands 32. That is what a GPU is for:
// servers with a key for each connection, keys derived for each chunk of a file, searches.
//
// Threads and memory. The S-box is in shared memory, 256 bytes for a block of threads. A thread's key and
// schedule lie behind each other in global memory, 16 and 176 bytes (AES-128), so that the lanes of a warp
// write to 32 places far from each other: each store of a word touches 32 sectors and fills an eighth of
// each. The second-level cache collects the rest. It would be better to collect schedules in shared memory
// and write them side by side: an exercise.
//
// What limits it. Those stores, with many keys: 4 (Nr + 1) words a key in as many sectors at a time. Look-ups
// are 40 a key (AES-128), bank conflicts included, a quarter of what a block of AES takes. With few keys,
// latency, as with a single one.
//
// Timing class: leaky. Bytes of keys are addresses in a memory with banks, and 32 keys share the time.
//
// Source: batches of keys are in production's kernels with a key for each message
// (src/kernels/team/team_key.hpp), which leave the schedule in registers and shared memory and never write
// it.
#include "lab/key_expansion.hpp"

namespace warpaes::core::lab::key_expansion_in_batch {
namespace {

struct Kernel : KeyExpansionKernel {
  static uint32_t shared_bytes(const Variant& /*variant*/) { return 256; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const KeyExpansionArguments& arguments) {
    uint8_t* const box = thread.shared();
    for (uint32_t i = thread.index(); i < 256; i += thread.count()) box[i] = constant_box<false>(i);
    thread.barrier();
    const uint64_t step = uint64_t{thread.block_count()} * thread.count();
    for (uint64_t i = uint64_t{thread.block()} * thread.count() + thread.index(); i < arguments.count;
         i += step) {
      expand_key(arguments, arguments.key(i), arguments.schedule(i),
                 [box](uint32_t byte) { return box[byte]; });
    }
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = key_expansion_lesson<Kernel>({
    .name = "key_expansion_in_batch",
    .idea = "a key for each thread: many chains side by side",
    .source = "the literature takes it for granted; production: src/kernels/team/team_key.hpp",
    .measured = "",
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::key_expansion_in_batch
