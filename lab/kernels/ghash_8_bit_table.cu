// GHASH by a table of 256 multiples of H: a byte of a factor at a time.
//
// Idea. As with four bits (ghash_4_bit_table), with 16 steps in place of 32, and a table of 4 KiB in place of
// 256 bytes. Half the look-ups, half the shifts, half the chain.
//
// Threads and memory. The table of H^T lies in shared memory, one for a block of threads; of 256 threads each
// makes one entry, by eight steps of times x. On a CPU such a table competes with the data for the
// first-level cache, and with several keys it does not fit. Here it is 4 KiB of a hundred or more.
//
// What limits it. Instructions still, but less than with four bits: on an H200 the ALUs are busier than
// shared memory's data path (docs/course/08-ghash.md has the counters). 16 loads of 16 bytes wait for each
// other. Eight lanes at a time, 8 columns of 16 bytes: entries in the same column meet, and with 256 of them
// they are hardly ever the same entry, which would cost nothing. The next steps would be a table for each
// place of a byte, 64 KiB, which needs no shifts, and copies of tables for the lanes, for which there is no
// room then.
//
// Timing class: leaky. A byte of a chain's sum, which depends on H, is an address.
//
// Source: V. Shoup, On fast and provably secure message authentication, CRYPTO 1996; McGrew and Viega, The
// Galois/ Counter mode of operation, 2004, section 4.1.
#include "lab/ghash_table.hpp"

namespace warpaes::core::lab::ghash_8_bit_table {
namespace {

class ByteTable {
 public:
  static constexpr int kBits = 8;
  static constexpr uint32_t kSharedBytes = sizeof(GhashMultiple) << kBits;

  template <class Thread>
  WARPAES_HOST_DEVICE ByteTable(Thread& thread, Gf128 h, Gf128 /*key*/)
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
constinit const Lesson lesson = ghash_lesson<GhashKernel<ByteTable>>({
    .name = "ghash_8_bit_table",
    .idea = "256 multiples of H in a table: a byte of a factor at a time, 16 steps",
    .source = "Shoup, CRYPTO 1996; McGrew and Viega 2004, section 4.1",
    .measured = "",
    .timing = WARPAES_TIMING_LEAKY,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::ghash_8_bit_table
