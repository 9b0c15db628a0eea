// Key expansion by all lanes of a warp: as parallel as one key can be.
//
// Idea. A step makes Nk words (4, 6 or 8) of the Nk before: w'(0) = w(0) + g, w'(1) = w(1) + w'(0), and so
// on, where g is RotWord, SubWord and the round constant of the last word. Written out, w'(k) = g + w(0) +
// ... + w(k): a prefix sum. So lane k holds word k of the step; a prefix sum over 8 lanes takes three
// shuffles; g is needed by all, and comes by one more. With 256-bit keys words 4 to 7 also get
// SubWord(w'(3)), another shuffle: h + w(4) + ... + w(k), beside the sum of the first four.
//
// Threads and memory. A warp takes a key. Its lanes read the key's words and write a step's words side by
// side. The S-box is in shared memory; all lanes look up the same four bytes, which is a broadcast: nobody
// waits. 24 of 32 lanes have nothing to do with it, since a step has no more than 8 words.
//
// What limits it. Steps still wait for each other: ten of them for AES-128, each a shuffle, four look-ups,
// and a prefix sum, perhaps 150 clocks. One thread alone (key_expansion_by_one_thread) has the same ten
// SubWords in a row; what became parallel are the XORs, the cheapest part. The lesson: lanes cannot shorten a
// chain whose links are the work.
//
// Timing class: leaky. Bytes of the key are addresses, though all lanes use the same one.
//
// Source: prefix sums by shuffles are Hillis and Steele's, 1986; here for want of an implementation "by all
// threads" in the literature, where each thread of a block takes a word and waits at a barrier for the one
// before.
#include "lab/key_expansion.hpp"

namespace warpaes::core::lab::key_expansion_by_a_warp {
namespace {

/// Lane k of the first `lanes` gets the sum of the words of lanes first to k.
template <class Thread>
WARPAES_HOST_DEVICE uint32_t prefix_sum(Thread& thread, uint32_t word, uint32_t first) {
  for (uint32_t distance = 1; distance < 8; distance *= 2) {
    const uint32_t left = thread.shuffle(word, (thread.lane() - distance) % kWarpLanes);
    if (thread.lane() >= first + distance) word ^= left;
  }
  return word;
}

struct Kernel : KeyExpansionKernel {
  static uint32_t shared_bytes(const Variant& /*variant*/) { return 256; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const KeyExpansionArguments& arguments) {
    uint8_t* const box = thread.shared();
    for (uint32_t i = thread.index(); i < 256; i += thread.count()) box[i] = constant_box<false>(i);
    thread.barrier();
    const uint64_t warps = uint64_t{thread.block_count()} * thread.count() / kWarpLanes;
    uint64_t key = (uint64_t{thread.block()} * thread.count() + thread.index()) / kWarpLanes;
    for (; key < arguments.count; key += warps) expand(thread, arguments, key, box);
  }

  template <class Thread>
  WARPAES_HOST_DEVICE static void expand(Thread& thread, const KeyExpansionArguments& arguments, uint64_t key,
                                         const uint8_t* box) {
    const auto look_up = [box](uint32_t byte) { return box[byte]; };
    const uint32_t nk = static_cast<uint32_t>(arguments.key_words), lane = thread.lane();
    const uint32_t all = static_cast<uint32_t>(arguments.schedule_words);
    uint32_t word = lane < nk ? load_le32(arguments.key(key) + 4 * lane) : 0, constant = 1;
    for (uint32_t step = 0;; step += nk) {
      if (lane < nk && step + lane < all) store_le32(arguments.schedule(key) + 4 * (step + lane), word);
      if (step + nk >= all) break;
      const uint32_t g = sub_word(rot_word(thread.shuffle(word, nk - 1)), look_up) ^ constant;
      constant = next_round_constant(constant);
      if (nk < 8) {
        word = prefix_sum(thread, word, 0) ^ g;
        continue;
      }
      const uint32_t lower = prefix_sum(thread, word, 0) ^ g, upper = prefix_sum(thread, word, 4);
      const uint32_t h = sub_word(thread.shuffle(lower, 3), look_up);
      word = lane < 4 ? lower : upper ^ h;
    }
  }
};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = key_expansion_lesson<Kernel>({
    .name = "key_expansion_by_a_warp",
    .idea =
        "a lane a word: each step of the schedule is a prefix sum over lanes, but steps still form a chain",
    .source = "prefix sums: Hillis and Steele, CACM 1986",
    .measured = "",
    .shape = {.threads = 128},
});

}  // namespace warpaes::core::lab::key_expansion_by_a_warp
