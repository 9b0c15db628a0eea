// A T-table whose bank conflicts can be timed: what leaks a key, to be leaked on purpose.
//
// Idea. A warp's look-up takes as many passes as the fullest bank of shared memory has different words to
// give. That depends on the 32 states, so on the key; and passes take time. Here each warp reads the clock
// before and after it encrypts its 32 blocks, and writes the difference beside the ciphertext. In the last
// round the entry looked up for byte p of a ciphertext block c is InvS(c_p ^ k_p), so whoever has the
// ciphertexts can compute the passes of that look-up for each of 256 guesses of k_p. The right guess's passes
// are part of the time; a wrong one's have nothing to do with it. Their correlations tell
// (lab/key_byte_attack.hpp).
//
// Threads and memory. One table, T0, of 256 words in shared memory; the other three are its rotations, and
// the last round's S-box is its byte 1. A lane takes a block. With `copies` there are more of the table, side
// by side, and lane l reads copy l mod copies: with 32 each lane has a bank of its own, all look-ups take one
// pass, and the same attack finds nothing. That is the whole difference between leaky and conflict-free.
//
// What limits it. As an attack: one of 160 look-ups is known, the other 159 are noise. Of independent
// look-ups the correlation would be 1 / sqrt(160) = 0.08, and a correlation r stands out of n samples by r
// sqrt(n) standard deviations: some 4000 warps for five of them, if time were passes and nothing else, and
// three times as many where coincidences must be excluded too (lab/key_byte_attack.cpp). The clock is read by
// the warp itself here; an attacker outside needs more samples, and only ever one warp at a time is worth
// timing. As a cipher it is t_tables_in_shared_memory with a rotation for each look-up.
//
// The first round gives nothing away: its entries are p ^ k, and XOR with k only exchanges banks, and entries
// within banks. So the number of passes is the same for all k.
//
// Timing class: leaky. With 32 copies it would be conflict-free.
//
// Source: Z. H. Jiang, Y. Fei, D. Kaeli, GLSVLSI 2017: 900,000 samples on a Tesla K40, of a whole launch's
// time. Correlations are the statistic of their attack on coalescing, HPCA 2016.
#include "lab/bank_conflicts.hpp"
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab::t_tables_timed {
namespace {

struct TimedArguments : CipherArguments {
  uint32_t copies = 1;
  uint32_t* times = nullptr;

  TimedArguments() = default;
  explicit TimedArguments(const Task& task)
      : CipherArguments(task), copies(task.variant.shape.table_copies), times(task.times) {}
};

/// T0 with its copies, for one lane.
struct LanesTable {
  const uint32_t* words;
  uint32_t lane, copies;

  WARPAES_HOST_DEVICE uint32_t t0(uint32_t byte) const { return words[word_of_entry(byte, lane, copies)]; }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return rotate_left(t0(byte_of<Row>(column)), 8 * Row);
  }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return t0(byte_of<Row>(column)) >> 8 & 0xff;
  }
};

/// The multiprocessor's clock. On the CPU there is none: see `emulate` below.
WARPAES_HOST_DEVICE uint32_t cycles() {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(clock64());
#else
  return 0;
#endif
}

/// A warp issues its instructions in order: what follows a store comes after the data that it stores.
template <class Thread>
WARPAES_HOST_DEVICE void wait_for(Thread& thread, volatile uint32_t* scratch, Columns data) {
  *scratch = data.a ^ data.b ^ data.c ^ data.d;
  thread.sync_warp();
}

struct Kernel : CipherKernel {
  using Arguments = TimedArguments;
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& variant) {
    return 1024 * variant.shape.table_copies + 4 * kWarpLanes;
  }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const TimedArguments& message) {
    auto* const words = reinterpret_cast<uint32_t*>(thread.shared());
    for (uint32_t i = thread.index(); i < 256 * message.copies; i += thread.count())
      words[i] = constant_t<false>(0, i / message.copies);
    thread.barrier();
    const LanesTable table = {words, thread.lane(), message.copies};
    volatile uint32_t* const scratch = words + 256 * message.copies + thread.lane();
    const auto key = [&](int word) { return message.keys.word[word]; };

    const uint64_t step = uint64_t{thread.block_count()} * thread.count();
    uint64_t i = uint64_t{thread.block()} * thread.count() + thread.index();
    for (; i - thread.lane() < message.blocks(); i += step) {
      const Columns block = load_block(message, i);
      wait_for(thread, scratch, block);  // memory's time is not what is measured
      const uint32_t begun = cycles();
      const Columns result = t_table_block<false>(table, key, message.rounds, block);
      wait_for(thread, scratch, result);
      const uint32_t ended = cycles();
      store_block(message, i, result);
      const uint64_t warp_end = i - thread.lane() + kWarpLanes;
      if (message.times != nullptr && thread.lane() == 0 && warp_end <= message.blocks())
        message.times[i / kWarpLanes] = ended - begun;
    }
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& /*variant*/, const Visit& visit) {
    visit(Kernel{});
  }
};

constexpr const Axis* kAxes[] = {&kTableCopies};
constexpr Direction kEncrypting[] = {WARPAES_DIRECTION_ENCRYPT};

constexpr Lesson with_modelled_times(Lesson row) {
  row.emulate = [](const Task& task) {
    std::vector<uint32_t> passes;
    if (task.times != nullptr)
      passes = passes_of_warps(task);  // before the output is there: it may be in place
    emulate_lesson<Kernels>(task);
    std::copy(passes.begin(), passes.end(), task.times);
  };
  return row;
}

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = with_modelled_times(gpu_lesson<Kernels>({
    .name = "t_tables_timed",
    .idea = "each warp times itself: how many lanes met in a bank is in its time, and the key is in that",
    .source = "Jiang, Fei and Kaeli, GLSVLSI 2017",
    .measured = "a key from 900,000 timed launches (NVIDIA Tesla K40)",
    .timing = WARPAES_TIMING_LEAKY,
    .modes = kEcb,
    .key_bits = kAllKeySizes,
    .directions = kEncrypting,
    .axes = kAxes,
    .shape = {.threads = 32},
}));

}  // namespace warpaes::core::lab::t_tables_timed
