// GHASH with the integer multiplier: factors with holes, into which the carries fall.
//
// Idea. A product of polynomials over GF(2) is an integer product without carries. Keep every fourth bit of
// both factors only, and zeros between them. Of 32-bit factors, at most 8 pairs of bits meet in a column of
// the product, so that the column's sum is 8 at most and stays in its four bits: no carry reaches the next
// column that is kept, and the lowest bit of the sum is the XOR that is wanted. Each factor is four such
// parts, so there are 16 products; those whose columns are the same places are added by XOR, and a mask takes
// the lowest bits of each four.
//
// Threads and memory. A chain a thread (lab/ghash_grid.hpp), in POLYVAL's order of bits, RFC 8452, in which
// nothing has to be reflected. 64 x 64 bits are three products of 32 x 32 (Karatsuba), 128 x 128 three of
// those: 9 times 16 integer multiplications, each of 32 x 32 bits to 64. No table.
//
// What limits it. The integer multiplier: 144 wide multiplications a block, of which a multiprocessor does
// far fewer in a clock than LOP3s, and 72 masks of the factors. The reduction is shifts.
//
// Timing class: strict. GPUs multiply in the same time whatever the factors are.
//
// Production takes this where there is no carry-less instruction (src/primitives/gf128.hpp).
//
// Source: T. Pornin, BearSSL's GHASH (ctmul), 2016: the same on CPUs without a carry-less instruction.
#include "lab/carryless.hpp"
#include "lab/ghash_grid.hpp"

namespace warpaes::core::lab::ghash_multiply_with_holes {
namespace {

/// Bits i, i + 4, i + 8 ... of a word.
template <class Word>
WARPAES_HOST_DEVICE Word with_holes(Word word, int i) {
  return word & static_cast<Word>(0x1111111111111111u << i);
}

/// 32 x 32 bits. Bits that are j and k more than multiples of four meet at j + k.
WARPAES_HOST_DEVICE uint64_t product_32(uint32_t a, uint32_t b) {
  uint64_t product = 0;
  WARPAES_UNROLL
  for (int place = 0; place < 4; place++) {
    uint64_t columns = 0;
    WARPAES_UNROLL
    for (int j = 0; j < 4; j++) columns ^= uint64_t{with_holes(a, j)} * with_holes(b, (place - j) & 3);
    product |= with_holes(columns, place);
  }
  return product;
}

/// 64 x 64 bits, Karatsuba's way.
WARPAES_HOST_DEVICE Gf128 product_64(uint64_t a, uint64_t b) {
  const auto low_half = [](uint64_t v) { return static_cast<uint32_t>(v); };
  const auto high_half = [](uint64_t v) { return static_cast<uint32_t>(v >> 32); };
  const uint64_t low = product_32(low_half(a), low_half(b)), high = product_32(high_half(a), high_half(b));
  const uint64_t middle = product_32(low_half(a) ^ high_half(a), low_half(b) ^ high_half(b)) ^ low ^ high;
  return {low ^ middle << 32, high ^ middle >> 32};
}

class WithHoles {
 public:
  static constexpr uint32_t kSharedBytes = 0;

  template <class Thread>
  WARPAES_HOST_DEVICE WithHoles(Thread& /*thread*/, Gf128 /*h*/, Gf128 key) : key_(key) {}

  WARPAES_HOST_DEVICE Gf128 times(Gf128 x) const { return multiply_carryless(x, key_, product_64); }

 private:
  Gf128 key_;
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = ghash_lesson<GhashKernel<WithHoles>>({
    .name = "ghash_multiply_with_holes",
    .idea = "integer multiplication of every fourth bit, so that carries fall into the holes",
    .source = "T. Pornin, BearSSL, 2016",
    .measured = "",
    .timing = WARPAES_TIMING_STRICT,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::ghash_multiply_with_holes
