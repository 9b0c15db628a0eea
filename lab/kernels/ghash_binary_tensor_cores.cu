// GHASH on tensor cores: a multiplication by a fixed H is a matrix of 128 x 128 bits.
//
// Idea. X -> X H is linear over GF(2): bit r of the product is the parity of (row r of a matrix M AND X), and
// column k of M is H times the element that has bit k alone. Tensor cores have a product of bit matrices:
// mma.b1 with and.popc counts, for 16 rows and 8 columns at a time, in how many of 256 places both bits
// are 1. The count's lowest bit is the parity. 256 places are twice 128, so that a step takes two blocks: S
// H^2 + X0 H, and X1 added.
//
// Threads and memory. A warp has 8 chains, the columns of B. Eight tiles of 16 rows are the matrix (M of H^2T
// | M of H^T): 32 registers a lane, which stay. B wants word q of chain g's sum, and of its block, in lane 4
// g + q: just as 32 lanes load 8 blocks side by side. But the counts come out elsewhere: lane 4 g + q has
// rows g and g + 8 of each tile, for columns 2 q and 2 q + 1. We may give the matrix's rows any order: choose
// it so that a lane's 16 bits of a chain are one half of a word that the next step needs in one lane. Then
// two shuffles put all of them in their places (from_counts).
//
// What limits it. Counting instructions, not the tensor cores: a step of 16 blocks is 8 mma, and 32 lowest
// bits to be put into words, 2 shuffles, 2 loads. Some 100 instructions for 256 bytes of a warp. Making the
// matrix takes as long as thousands of blocks.
//
// Compute capability 8.0 to 9.0. Later ones have no tensor cores for bits, and older ones no AND: there the
// definition is computed (lab/binary_tensor_core.hpp).
//
// Timing class: strict. Source: the instruction, PTX ISA 7.1 and NVIDIA's A100 whitepaper, 2020; products by
// fixed matrices are how GF(2^n) was always done in hardware.
#include "lab/binary_tensor_core.hpp"
#include "lab/ghash_grid.hpp"

namespace warpaes::core::lab::ghash_binary_tensor_cores {
namespace {

constexpr uint32_t kChains = 8;  // of a warp
constexpr int kTiles = 8;        // of 16 rows

/// The bits of an element as a block lies in memory: bit k is bit k % 32 of word k / 32.
struct Bits128 {
  uint32_t word[4];
};

WARPAES_HOST_DEVICE Bits128 bits_of(Gf128 v) {
  const Columns columns = to_columns(v);
  return {{columns.a, columns.b, columns.c, columns.d}};
}

/// The element with bit k alone: x^i, where a byte's highest bit has the lowest power.
WARPAES_HOST_DEVICE Gf128 single_bit(uint32_t k) {
  const uint32_t power = k / 8 * 8 + (7 - k % 8);
  const uint64_t bit = uint64_t{1} << (63 - power % 64);
  return power < 64 ? Gf128{0, bit} : Gf128{bit, 0};
}

/// Which bit of the product row `row` of tile `tile` is: that which a lane needs beside the other rows that
/// it has. Lane 4 g + q has rows g and g + 8: for g = 2 w and 2 w + 1 these are the halves of word w.
WARPAES_HOST_DEVICE uint32_t bit_of_row(uint32_t tile, uint32_t row) {
  const uint32_t g = row % 8, upper = row / 8;
  return 32 * (g / 2) + 16 * (g % 2) + 2 * tile + upper;
}

/// Columns of both matrices in shared memory: 256 elements.
WARPAES_HOST_DEVICE uint32_t matrix_bit(const Bits128* column, uint32_t row, uint32_t k) {
  return column[k].word[row / 32] >> (row % 32) & 1;
}

/// This lane's part of a tile.
template <class Thread>
WARPAES_HOST_DEVICE BitsA tile_of(Thread& thread, const Bits128* column, uint32_t tile) {
  const uint32_t g = thread.lane() / 4, q = thread.lane() % 4;
  BitsA a = {};
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t bit = bit_of_row(tile, g + 8 * (i % 2)), first = 32 * q + 128 * (i / 2);
    for (uint32_t k = 0; k < 32; k++) a.word[i] |= matrix_bit(column, bit, first + k) << k;
  }
  return a;
}

/// Word q of chain g's block in lane 4 g + q, of counts whose chains are 2 q and 2 q + 1. `half[c]` has 16
/// bits.
template <class Thread>
WARPAES_HOST_DEVICE uint32_t from_counts(Thread& thread, const uint32_t (&half)[2]) {
  const uint32_t both = half[0] | half[1] << 16;
  const uint32_t chain = thread.lane() / 4, word = thread.lane() % 4;
  const uint32_t lower = thread.shuffle(both, 4 * (2 * word) + chain / 2);
  const uint32_t upper = thread.shuffle(both, 4 * (2 * word + 1) + chain / 2);
  const uint32_t shift = 16 * (chain % 2);
  return (lower >> shift & 0xffff) | (upper >> shift) << 16;
}

struct Kernel {
  using Arguments = GhashArguments;
  static constexpr int kMostThreads = 256;
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return 256 * sizeof(Bits128); }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const GhashArguments& arguments) {
    const uint64_t warps = uint64_t{thread.block_count()} * thread.count() / kWarpLanes;
    const uint64_t warp = (uint64_t{thread.block()} * thread.count() + thread.index()) / kWarpLanes;
    const uint64_t chains = warps * kChains, chain = warp * kChains + thread.lane() / 4;

    auto* const column = reinterpret_cast<Bits128*>(thread.shared());
    for (uint32_t k = thread.index(); k < 256; k += thread.count())
      column[k] = bits_of(times_power(single_bit(k % 128), k < 128 ? 2 * chains : chains, arguments));
    thread.barrier();
    BitsA a[kTiles];
    WARPAES_UNROLL
    for (uint32_t tile = 0; tile < kTiles; tile++) a[tile] = tile_of(thread, column, tile);

    const uint64_t blocks = arguments.message.blocks(), of_step = 2 * chains;
    const uint64_t zero_blocks = (of_step - blocks % of_step) % of_step;
    uint32_t sum = 0;  // word q of chain g
    for (uint64_t i = chain; i < blocks + zero_blocks; i += of_step) {
      const BitsB b = {{sum, word_of(thread, arguments, i, zero_blocks)}};
      uint32_t half[2] = {0, 0};
      WARPAES_UNROLL
      for (int tile = 0; tile < kTiles; tile++) {
        const CountsC c = count_and(thread, a[tile], b);
        WARPAES_UNROLL
        for (int j = 0; j < 4; j++) half[j % 2] |= (c.count[j] & 1) << (2 * tile + j / 2);
      }
      sum = from_counts(thread, half) ^ word_of(thread, arguments, i + chains, zero_blocks);
    }
    add_chain(thread, arguments, whole_sum(thread, sum), chains - chain);
  }

  /// This lane's word of a block: 32 lanes load 8 blocks side by side.
  template <class Thread>
  WARPAES_HOST_DEVICE static uint32_t word_of(Thread& thread, const GhashArguments& arguments, uint64_t i,
                                              uint64_t zero_blocks) {
    const uint64_t at = 16 * (i - zero_blocks) + 4 * (thread.lane() % 4);
    if (i < zero_blocks || at >= arguments.message.bytes) return 0;
    const uint64_t rest = arguments.message.bytes - at;
    const uint8_t* from = arguments.message.input + at;
    if (rest >= 4 && is_aligned(arguments.message.input)) return *reinterpret_cast<const uint32_t*>(from);
    return load_bytes(from, rest < 4 ? static_cast<uint32_t>(rest) : 4).a;
  }

  /// The chain's sum, in one of its four lanes.
  template <class Thread>
  WARPAES_HOST_DEVICE static Gf128 whole_sum(Thread& thread, uint32_t word) {
    uint32_t words[4];
    for (uint32_t q = 0; q < 4; q++) words[q] = thread.shuffle(word, thread.lane() / 4 * 4 + q);
    return thread.lane() % 4 == 0 ? to_gf128({words[0], words[1], words[2], words[3]}) : Gf128{0, 0};
  }
};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = ghash_lesson<Kernel>({
    .name = "ghash_binary_tensor_cores",
    .idea = "times a fixed H is a matrix of 128 x 128 bits: mma of single bits, and the parity of its counts",
    .source = "PTX ISA 7.1, mma.m16n8k256 .b1 .and.popc",
    .measured = "",
    .timing = WARPAES_TIMING_STRICT,
    .shape = {.threads = 128},
});

}  // namespace warpaes::core::lab::ghash_binary_tensor_cores
