// Counter mode that does not compute what does not change: the first two rounds, once for 256 blocks.
//
// Idea. CTR encrypts counters, and 256 that follow each other differ in their last byte only. Follow that
// byte, row 3 of column 3, through the cipher. In round 1, ShiftRows takes it to column 0, and MixColumns
// spreads it over that column: columns 1, 2 and 3 are the same for all 256 blocks. In round 2, ShiftRows
// takes column 0's four bytes to four different columns, so that each new column has one look-up that
// changes and three that do not. Only from round 3 on everything changes.
//   round 1   1 look-up a block (T3 of the last byte), 15 for the group
//   round 2   4 look-ups a block (one for each byte of column 0), 12 for the group
//   then      16 a round
// So a block of AES-128 takes 133 look-ups and not 160, and its share of the group's 27.
//
// Threads and memory. Tables as in lane_private_rows. A warp takes a group of 256 blocks, lane l those
// whose counters end in l, l + 32 and so on. Groups begin where the counter's last byte is 0, wherever the
// message begins: at its two ends some blocks of a group belong to nobody. Every lane computes the group's
// share for itself, 27 look-ups for its 8 blocks: handing them round by shuffles would take the same data
// path.
//
// What limits it. Instructions. Shared memory's data path is the wall of lane_private_rows; with 133 and 27/8
// look-ups a block, and 8 for its data, that wall is further away, and an H200's ALUs are busier than the
// path (docs/course/06-bank-conflicts.md has the counters). Production goes one step further and keeps the
// four look-ups of round 2 in registers for the whole message, because a lane's last bytes are the same in
// each group (src/kernels/warp/cached_counters.hpp).
//
// Timing class: conflict-free, as its tables are.
//
// Source: D. J. Bernstein and P. Schwabe, New AES software speed records (2008).
#include "lab/gpu_lesson.cuh"
#include "lab/lane_private_rows.hpp"
#include "lab/message_blocks.hpp"

namespace warpaes::core::lab::counter_caching {
namespace {

constexpr uint32_t kGroup = 256;

/// What 256 counters have in common after two rounds, but for what their last byte adds.
struct GroupShare {
  uint32_t column0;  // of round 1, without T3 of the last byte
  Columns round2;    // without the four look-ups of column 0

  template <class Tables, class Key>
  WARPAES_HOST_DEVICE GroupShare(const Tables& tables, const Key& key, Columns counter) {
    const Columns s = add_first_key(key, counter);  // its last byte is not used
    column0 = tables.template t<0>(s.a) ^ tables.template t<1>(s.b) ^ tables.template t<2>(s.c) ^ key(4);
    const auto column = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
      return tables.template t<0>(w) ^ tables.template t<1>(x) ^ tables.template t<2>(y) ^
             tables.template t<3>(z);
    };
    const uint32_t b = column(s.b, s.c, s.d, s.a) ^ key(5), c = column(s.c, s.d, s.a, s.b) ^ key(6),
                   d = column(s.d, s.a, s.b, s.c) ^ key(7);
    round2 = {tables.template t<1>(b) ^ tables.template t<2>(c) ^ tables.template t<3>(d) ^ key(8),
              tables.template t<0>(b) ^ tables.template t<1>(c) ^ tables.template t<2>(d) ^ key(9),
              tables.template t<0>(c) ^ tables.template t<1>(d) ^ tables.template t<3>(b) ^ key(10),
              tables.template t<0>(d) ^ tables.template t<2>(b) ^ tables.template t<3>(c) ^ key(11)};
  }

  /// The state after two rounds of the block whose counter ends in that byte.
  template <class Tables, class Key>
  WARPAES_HOST_DEVICE Columns after_two_rounds(const Tables& tables, const Key& key,
                                               uint32_t last_byte) const {
    const uint32_t a = column0 ^ tables.template t<3>(last_byte << 24 ^ key(3));
    return round2 ^ Columns{tables.template t<0>(a), tables.template t<3>(a), tables.template t<2>(a),
                            tables.template t<1>(a)};
  }
};

template <int Rounds>
struct Kernel : CipherKernel {
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return LanePrivateRows::kBytes; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    LanePrivateRows::fill<false>(thread);
    thread.barrier();
    const LanePrivateEncryption tables(thread.shared(), thread.lane());
    const auto key = [&](int word) { return message.keys.word[word]; };

    const uint32_t before = message.counter.low % kGroup;  // places of the first group that the message lacks
    const CounterBlock group_zero = {message.counter.high, message.counter.low - before};
    const uint64_t groups = (before + message.blocks() + kGroup - 1) / kGroup;
    const uint64_t warps = static_cast<uint64_t>(thread.block_count()) * (thread.count() / kWarpLanes);
    const uint64_t warp =
        static_cast<uint64_t>(thread.block()) * (thread.count() / kWarpLanes) + thread.index() / kWarpLanes;
    for (uint64_t group = warp; group < groups; group += warps) {
      // Unsigned, so that a place before the message's first block is a number beyond its last.
      const uint64_t first = group * kGroup - before;
      const GroupShare share(tables, key, columns_of(add128(group_zero, group * kGroup)));
      WARPAES_KEEP_ROLLED
      for (uint32_t last_byte = thread.lane(); last_byte < kGroup; last_byte += kWarpLanes) {
        const uint64_t i = first + last_byte;
        if (i >= message.blocks()) continue;
        const Columns state = share.after_two_rounds(tables, key, last_byte);
        const Columns stream = t_table_rounds_unrolled<false, Rounds, 3>(tables, key, state);
        store_block(message, i, stream ^ load_block(message, i));
      }
    }
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    if (variant.key_bits == 128) return visit(Kernel<10>{});
    if (variant.key_bits == 192) return visit(Kernel<12>{});
    return visit(Kernel<14>{});
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "counter_caching",
    .idea = "the first two rounds of 256 counters have nearly everything in common: computed once",
    .source = "Bernstein and Schwabe, 2008",
    .measured = "a proof of concept with 128 KiB of tables on an NVIDIA H200, AES-128 CTR: 904 to 912 GB/s "
                "(run for this project)",
    .timing = WARPAES_TIMING_CONFLICT_FREE,
    .modes = kCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
    .shape = {.threads = 512},
});

}  // namespace warpaes::core::lab::counter_caching
