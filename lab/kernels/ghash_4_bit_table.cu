// GHASH by a table of 16 multiples of H: four bits of a factor at a time.
//
// Idea. A product is a sum over the 32 digits of X, four bits each. The multiples of H by all 16 digits are
// made once. Then Horner's rule, from the last digit: the product so far times x^4, plus the digit's
// multiple. Times x^4 is a shift, and what falls out comes back times x^7 + x^2 + x + 1, which four XORs
// compute (lab/ghash_table.hpp).
//
// Threads and memory. A chain a thread; the multiplier of all chains is the same, H^T, so that one table of
// 256 bytes serves a block of threads. It lies in shared memory. Each of its threads makes an entry in the
// beginning.
//
// What limits it. Instructions. A chain of 32 steps that wait for each other, each a load of 16 bytes from
// shared memory and some ten instructions that shift, reduce and add. A load of 16 bytes is served for eight
// lanes at a time; their entries lie in 8 columns of 16 bytes, so that eight random digits meet in some
// column 2 or 3 times. Many warps hide the waiting, and the passes too: on an H200 the ALUs are twice as busy
// as shared memory's data path (docs/course/08-ghash.md has the counters).
//
// Timing class: leaky. A digit of a chain's sum, which depends on H, is an address.
//
// Source: V. Shoup, On fast and provably secure message authentication, CRYPTO 1996; McGrew and Viega, The
// Galois/ Counter mode of operation, 2004, section 4.1, with 4 and 8 bits.
#include "lab/ghash_table.hpp"

namespace warpaes::core::lab::ghash_4_bit_table {
namespace {

class FourBitTable {
 public:
  static constexpr int kBits = 4;
  static constexpr uint32_t kSharedBytes = sizeof(GhashMultiple) << kBits;

  template <class Thread>
  WARPAES_HOST_DEVICE FourBitTable(Thread& thread, Gf128 h, Gf128 /*key*/)
      : table_(reinterpret_cast<GhashMultiple*>(thread.shared())) {
    fill_multiples<kBits>(thread, table_, h);
  }

  WARPAES_HOST_DEVICE Gf128 times(Gf128 x) const { return times_by_table<kBits>(table_, x); }

 private:
  GhashMultiple* table_;
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = ghash_lesson<GhashKernel<FourBitTable>>({
    .name = "ghash_4_bit_table",
    .idea = "16 multiples of H in a table: four bits of a factor at a time, 32 steps",
    .source = "Shoup, CRYPTO 1996; McGrew and Viega 2004, section 4.1",
    .measured = "",
    .timing = WARPAES_TIMING_LEAKY,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::ghash_4_bit_table
