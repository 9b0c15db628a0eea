// GHASH by the standard's algorithm: a multiplication is 128 times "add if this bit is 1, then times x".
//
// Idea. The product of X and H is the sum of H x^i over all i for which bit i of X is 1 (SP 800-38D algorithm
// 1). Bit 0 is the first bit of the block, so that times x is a shift to the right; a bit that falls out at
// the end is x^128, which is x^7 + x^2 + x + 1, the bits 1110 0001 at the beginning of the block.
//
// Threads and memory. Each thread has a chain of its own (lab/ghash_grid.hpp): it multiplies by H^T and adds
// its next block, where T is the number of threads. No table. Loads are of 512 bytes a warp, side by side.
//
// What limits it. Instructions: 128 steps of about eight on 32-bit registers (a bit made a mask of 128 bits
// by one, four ANDs with XOR, a shift of four words, the reduction), more than a thousand for 16 bytes. AES
// itself takes a third of that. The steps are the same for all data: a mask in place of a branch.
//
// Timing class: strict. The algorithm as printed branches on the bits of X; this does not, and the bits of X
// here, a chain's sum, are secret.
//
// Source: NIST SP 800-38D, 6.3 and 6.4.
#include "lab/ghash_grid.hpp"

namespace warpaes::core::lab::ghash_bit_by_bit {
namespace {

class BitByBit {
 public:
  static constexpr uint32_t kSharedBytes = 0;

  template <class Thread>
  WARPAES_HOST_DEVICE BitByBit(Thread& /*thread*/, Gf128 h, Gf128 /*key*/) : h_(h) {}

  WARPAES_HOST_DEVICE Gf128 times(Gf128 x) const {
    Gf128 product{0, 0}, shifted = h_;
    WARPAES_KEEP_ROLLED
    for (int i = 0; i < 128; i++) {
      const uint64_t mask = 0u - (x.hi >> 63);  // the first bit
      product = product ^ Gf128{shifted.lo & mask, shifted.hi & mask};
      shifted = ghash_times_x(shifted);
      x = {x.lo << 1, x.hi << 1 | x.lo >> 63};
    }
    return product;
  }

 private:
  Gf128 h_;
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = ghash_lesson<GhashKernel<BitByBit>>({
    .name = "ghash_bit_by_bit",
    .idea = "a product in GF(2^128) as the standard writes it: 128 times add, if a bit is 1, and shift",
    .source = "NIST SP 800-38D, algorithms 1 and 2",
    .measured = "",
    .timing = WARPAES_TIMING_STRICT,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::ghash_bit_by_bit
