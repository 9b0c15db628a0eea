// GHASH with the carry-less multiply-add instruction.
//
// Idea. CPUs have had an instruction for products without carries since 2010 (PCLMULQDQ, PMULL). PTX has one
// since version 9.3 (CUDA 13.3): clmad, 64 x 64 bits, of which one form gives the lower half of the product
// and another the upper; a third operand is added, which is XOR and costs nothing more.
//
// Threads and memory. A chain a thread (lab/ghash_grid.hpp), in POLYVAL's order of bits (RFC 8452): with the
// first bit of a block at the top of a number, as GHASH has it, a product would be one place off. No table.
// Karatsuba's three products of 64 x 64 bits are six instructions, the reduction some twenty shifts and XORs.
// Production adds up eight products before it reduces once (src/primitives/gf128.hpp), which a single chain
// cannot.
//
// What limits it. The chain: each product waits for the one before it, and only other warps fill the time.
// With enough of them it is the instruction's own rate; whether hardware has a unit for it or a sequence, PTX
// does not say.
//
// Compute capability 8.0 or higher, and nvcc 13.3; else the definition is computed, bit by bit, which is
// correct and slow: the instruction is in lab/carryless_instruction.hpp.
//
// Timing class: strict.
//
// Source: PTX ISA 9.3, "clmad"; the method is Gueron and Kounavis', Intel 2010.
#include "lab/carryless.hpp"
#include "lab/carryless_instruction.hpp"
#include "lab/ghash_grid.hpp"

namespace warpaes::core::lab::ghash_clmad {
namespace {

class CarrylessInstruction {
 public:
  static constexpr uint32_t kSharedBytes = 0;

  template <class Thread>
  WARPAES_HOST_DEVICE CarrylessInstruction(Thread& /*thread*/, Gf128 /*h*/, Gf128 key) : key_(key) {}

  WARPAES_HOST_DEVICE Gf128 times(Gf128 x) const {
    return multiply_carryless(
        x, key_, [](uint64_t a, uint64_t b) -> Gf128 { return {clmad_lo(a, b, 0), clmad_hi(a, b, 0)}; });
  }

 private:
  Gf128 key_;
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = ghash_lesson<GhashKernel<CarrylessInstruction>>({
    .name = "ghash_clmad",
    .idea = "the carry-less multiply-add instruction: three products of 64 x 64 bits, and a reduction",
    .source = "PTX ISA 9.3, clmad; Gueron and Kounavis, Intel 2010",
    .measured = "",
    .timing = WARPAES_TIMING_STRICT,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::ghash_clmad
