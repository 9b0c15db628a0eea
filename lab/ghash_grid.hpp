// GHASH (SP 800-38D section 6.4) by all threads of a grid. The lessons on GHASH have this in common, so that
// each only shows how it multiplies.
//
// Y_i = (Y_(i-1) ^ X_i) * H looks like a chain, but it is Horner's rule for X_1 H^n ^ X_2 H^(n-1) ^ ... ^ X_n
// H. With T chains, chain t takes the blocks t, t + T, t + 2 T and so on, and goes from one to the next by
// H^T. In the end its sum is multiplied once more, by H^(T-t), and the sums are added. So many zero blocks
// are imagined in front of the message that the number of blocks is a multiple of T; they do not change the
// hash.
#pragma once

#include <cstring>

#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "primitives/careful_block.hpp"

namespace warpaes::core::lab {

struct GhashArguments {
  static constexpr int kPowers = 32;  // for exponents below 2^32, which suffices for the chains of a grid

  CipherArguments message;  // its output has 16 bytes, which have to be zero at first
  Gf128 power[kPowers];     // H^(2^i), in the form of gf128.hpp

  GhashArguments() = default;
  explicit GhashArguments(const Task& task) : message(task) {
    uint8_t h[16] = {};
    careful_block(task.schedule.encryption(), task.variant.rounds(), h, h);
    Gf128 next = ghash_key(gf128_from_block(h));
    for (Gf128& p : power) {
      p = next;
      next = gf128_multiply(next, next);
    }
  }

  /// Block i of the message, counted with the zero blocks in front of it.
  WARPAES_HOST_DEVICE Gf128 block(uint64_t i, uint64_t zero_blocks) const {
    return i < zero_blocks ? Gf128{0, 0} : to_gf128(load_block(message, i - zero_blocks));
  }
};

/// value * H^exponent. A thread needs it once or twice, whatever the lesson.
WARPAES_HOST_DEVICE Gf128 times_power(Gf128 value, uint64_t exponent, const GhashArguments& arguments) {
  WARPAES_KEEP_ROLLED
  for (int i = 0; exponent != 0; exponent >>= 1, i++) {
    if (exponent & 1) value = gf128_multiply(value, arguments.power[i]);
  }
  return value;
}

/// The element 1 as the standard writes it: the first bit is x^0.
WARPAES_HOST_DEVICE constexpr Gf128 ghash_one() { return {0, uint64_t{1} << 63}; }

/// v times x (SP 800-38D section 6.3): the bits of the block move to the right.
WARPAES_HOST_DEVICE Gf128 ghash_times_x(Gf128 v) {
  const uint64_t fell_out = 0u - (v.lo & 1);
  return {v.lo >> 1 | v.hi << 63, v.hi >> 1 ^ (fell_out & uint64_t{0xe1} << 56)};
}

/// Adds a share to the hash in the output, while other threads do the same; the order does not matter. Atomic
/// operations work on aligned words, so an output that is not aligned lies in five of them.
WARPAES_HOST_DEVICE void add_to_hash(const GhashArguments& arguments, Gf128 share) {
  const Columns columns = to_columns(share);
  uint8_t* const output = arguments.message.output;
#if defined(__CUDA_ARCH__)
  const uint32_t word[6] = {0, columns.a, columns.b, columns.c, columns.d, 0};
  const uint32_t past = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(output) % 4);
  auto* const sum = reinterpret_cast<uint32_t*>(output - past);
  for (int i = 0; i < 5; i++) {
    const uint32_t shifted = __funnelshift_l(word[i], word[i + 1], 8 * past);
    if (shifted != 0) atomicXor(sum + i, shifted);
  }
#else
  uint8_t sum[16];
  store_bytes(sum, columns, 16);
  for (int i = 0; i < 16; i++) output[i] ^= sum[i];
#endif
}

/// Ends a chain: multiplies its sum by H^exponent and adds it to the hash. All lanes of the warp have to
/// call, those without a chain with a sum of 0.
template <class Thread>
WARPAES_HOST_DEVICE void add_chain(Thread& thread, const GhashArguments& arguments, Gf128 sum,
                                   uint64_t exponent) {
  sum = times_power(sum, exponent, arguments);
  for (uint32_t mask = 1; mask < kWarpLanes; mask *= 2) {
    sum.lo ^= thread.shuffle_xor(sum.lo, mask);
    sum.hi ^= thread.shuffle_xor(sum.hi, mask);
  }
  if (thread.lane() == 0) add_to_hash(arguments, sum);
}

/// A grid in which each thread has one chain.
/// @tparam Multiplier is made from (Thread&, Gf128 h, Gf128 key) by all threads of a thread block together: h
///        is H^T as the standard writes it, and key is the same in the form of gf128.hpp. Its times(Gf128)
///        multiplies by it
template <class Multiplier, class Thread>
WARPAES_HOST_DEVICE void hash_message(Thread& thread, const GhashArguments& arguments) {
  const uint64_t chains = uint64_t{thread.block_count()} * thread.count();
  const uint64_t chain = uint64_t{thread.block()} * thread.count() + thread.index();
  const uint64_t blocks = arguments.message.blocks();
  const uint64_t zero_blocks = (chains - blocks % chains) % chains;
  const Gf128 key = times_power(gf128_one(), chains, arguments);
  const Multiplier multiplier(thread, times_power(ghash_one(), chains, arguments), key);

  Gf128 sum{0, 0};
  for (uint64_t i = chain; i < blocks + zero_blocks; i += chains)
    sum = multiplier.times(sum) ^ arguments.block(i, zero_blocks);
  add_chain(thread, arguments, sum, chains - chain);
}

/// The kernel of a lesson on GHASH, with the lesson's multiplier.
template <class Multiplier>
struct GhashKernel {
  using Arguments = GhashArguments;
  static constexpr int kMostThreads = 1024;
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return Multiplier::kSharedBytes; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const GhashArguments& arguments) {
    hash_message<Multiplier>(thread, arguments);
  }
};

template <class OnlyKernel>
struct GhashKernels {
  template <class Visit>
  static void choose(const Variant& /*variant*/, const Visit& visit) {
    visit(OnlyKernel{});
  }
};

inline constexpr Mode kGhash[] = {Mode::ghash};
inline constexpr Direction kHashing[] = {WARPAES_DIRECTION_ENCRYPT};

/// The row of a lesson with that kernel.
template <class OnlyKernel>
constexpr Lesson ghash_lesson(Lesson row) {
  row.modes = kGhash;
  row.key_bits = kAllKeySizes;
  row.directions = kHashing;
  row = gpu_lesson<GhashKernels<OnlyKernel>>(row);
  row.emulate = [](const Task& task) {
    std::memset(task.output, 0, 16);
    emulate_lesson<GhashKernels<OnlyKernel>>(task);
  };
#if defined(__CUDACC__)
  row.launch = [](const Task& task, Stream stream) {
    check(cudaMemsetAsync(task.output, 0, 16, stream), "cudaMemsetAsync");
    launch_lesson<GhashKernels<OnlyKernel>>(task, stream);
  };
#endif
  return row;
}

}  // namespace warpaes::core::lab
