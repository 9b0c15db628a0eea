// Matrix multiplication of single bits: the PTX instruction mma for tensor cores and, where that does not
// exist, its definition.
#pragma once

#include "kernels/policy.hpp"
#include "primitives/host_device.hpp"

#if !defined(__CUDA_ARCH__)
#include <bit>
#endif

// Compute capability 8.0 to 9.0. Later GPUs have no tensor cores for bits.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ <= 900
#define WARPAES_HAS_BINARY_MMA 1
#else
#define WARPAES_HAS_BINARY_MMA 0
#endif

namespace warpaes::core::lab {

/// Which parts of the matrices of mma.m16n8k256 lane 4 g + q has (PTX ISA, "Matrix fragments for
/// mma.m16n8k256").
struct BitsA {  // 16 x 256 bits: rows g and g + 8, columns 32 q to 32 q + 31; then the same of the columns
                // from 128
  uint32_t word[4];
};
struct BitsB {  // 256 x 8 bits: column g, rows 32 q to 32 q + 31, then 128 + 32 q ...
  uint32_t word[2];
};
struct CountsC {  // 16 x 8 numbers: row g, columns 2 q and 2 q + 1; then the same of row g + 8
  uint32_t count[4];
};

WARPAES_HOST_DEVICE uint32_t count_ones(uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popcll(word));
#else
  return static_cast<uint32_t>(std::popcount(word));
#endif
}

/// The instruction's definition: count (i, j) is the number of places k for which bit (i, k) of a and bit (k,
/// j) of b are both 1.
template <class Thread>
WARPAES_HOST_DEVICE CountsC count_and_by_definition(Thread& thread, const BitsA& a, const BitsB& b) {
  const uint32_t row = thread.lane() / 4, pair = thread.lane() % 4;
  CountsC c = {};
  for (uint32_t q = 0; q < 4; q++) {
    uint64_t of_row[2], of_column[2];  // the places from 32 q on in the lower half, those from 128 + 32 q on
                                       // in the upper half
    for (int i = 0; i < 2; i++)
      of_row[i] = thread.shuffle(uint64_t{a.word[i + 2]} << 32 | a.word[i], 4 * row + q);
    for (uint32_t j = 0; j < 2; j++)
      of_column[j] = thread.shuffle(uint64_t{b.word[1]} << 32 | b.word[0], 4 * (2 * pair + j) + q);
    for (int i = 0; i < 4; i++) c.count[i] += count_ones(of_row[i / 2] & of_column[i % 2]);
  }
  return c;
}

/// All lanes of the warp have to call.
template <class Thread>
WARPAES_HOST_DEVICE CountsC count_and(Thread& thread, const BitsA& a, const BitsB& b) {
#if WARPAES_HAS_BINARY_MMA
  (void)thread;
  CountsC c;
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %10, %10, %10};"
      : "=r"(c.count[0]), "=r"(c.count[1]), "=r"(c.count[2]), "=r"(c.count[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b.word[0]), "r"(b.word[1]),
        "r"(0));
  return c;
#else
  return count_and_by_definition(thread, a, b);
#endif
}

}  // namespace warpaes::core::lab
