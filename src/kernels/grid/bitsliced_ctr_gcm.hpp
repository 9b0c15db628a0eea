// CTR and GCM of one message on bit planes: no tables, and no address or branch that depends on a secret.
//
//     message    | run 0: warp 0 | run 1: warp 1 | …
//     group      | 0 … 31 | 32 … 63 | … | 224 … 255 |     lane l: block l of each 32 blocks, eight in all
//
// Threads and memory. A warp takes a run of groups of 256 blocks, whose counters differ in their last byte
// only. Lane l has the counters that end in l, l + 32 … l + 224, so each access of a warp is 512 consecutive
// bytes. Counter caching works as in warp/cached_counters.hpp: the state after two rounds is the sum of what
// the counter's last byte gives, which is the same in every group, and of what its other bytes give, which is
// the same for the whole group. The planes of the first are kept in shared memory, lane by lane. The planes
// of the second are all zeros or all ones for a group, and a lane computes them for one of the next 32
// groups.
//
// Limits. The logic unit: docs/design/bitsliced.md counts the gates. A block of 16 bytes also reads or writes
// 4 + 8 / 8 words of shared memory beside its load and store, a tenth of what table look-ups would. Timing
// class: strict.
#pragma once

#include "kernels/grid/ctr_gcm.hpp"
#include "kernels/kernel.hpp"
#include "kernels/warp/group_rows.hpp"
#include "kernels/warp/warp_scratch.hpp"
#include "primitives/bitsliced_rounds.hpp"

namespace warpaes::core {

template <class Arguments>
struct WithSlicedKeys : Arguments {
  SlicedKeys sliced_keys;
};
using SlicedCounterArguments = WithSlicedKeys<CounterArguments>;
using SlicedGcmArguments = WithSlicedKeys<GcmArguments>;

/// A warp's own part of shared memory.
struct SlicedScratch {
  struct alignas(16) Four {
    uint32_t word[4];

    friend WARPAES_HOST_DEVICE Four operator^(Four x, Four y) {
      return {{x.word[0] ^ y.word[0], x.word[1] ^ y.word[1], x.word[2] ^ y.word[2], x.word[3] ^ y.word[3]}};
    }
  };
  static constexpr int kFours = kSlicedWords / 4;
  /// The stride from lane to lane is no multiple of 128 bytes, so that 8 lanes write to different banks.
  static constexpr int kPadded = kFours + 1;

  Four of_last_byte[kFours][kWarpLanes];
  Four of_group[kWarpLanes]
               [kPadded];  // not used by groups at a message's ends, which keep a lane's key stream here

  /// What is left between the lanes' strides: room for a block of each lane.
  WARPAES_HOST_DEVICE uint32_t* between(uint32_t lane) { return of_group[lane][kFours].word; }
};

/// One warp's work on one run of a message.
/// @tparam Alone no other kernel or kind of warp works on the message, so that its first run also adds
///        E_K(J0), the additional data and the lengths
/// @tparam Rows how whole groups are loaded and stored, see warp/group_rows.hpp
template <int Rounds, Hashed Hash, bool Alone, class Rows, class Thread, class Arguments>
class SlicedCounterRunner {
 public:
  /// @param run which run of the message
  WARPAES_HOST_DEVICE SlicedCounterRunner(Thread& thread, SlicedScratch& scratch, const Arguments& arguments,
                                          uint32_t run)
      : thread_(thread),
        scratch_(scratch),
        arguments_(arguments),
        run_(run),
        counter_(kHasJ0 ? first_counter_number<Hash>(arguments) - 1 : reverse_bytes(initial_counter().d)) {}

  /// @return the part's share of the tag, in all lanes; nothing in CTR
  WARPAES_HOST_DEVICE Gf128 operator()() {
    const auto run = groups_of_sliced_run(arguments_, run_);
    crypt(run.begin, run.end);
    Rows::end_run(thread_, scratch_.between(thread_.lane()), output() + index_of(run.end) * 16);
    if constexpr (Hash != Hashed::nothing) return share_of_tag(run.begin, run.end);
    return {0, 0};
  }

 private:
  using Four = SlicedScratch::Four;

  /// A message's first group holds J0 as well, in front of its first block.
  static constexpr bool kHasJ0 = Alone && Hash != Hashed::nothing;

  WARPAES_HOST_DEVICE uint32_t skew() const { return counter_ & (kGroupBlocks - 1); }
  WARPAES_HOST_DEVICE Columns initial_counter() const { return first_counter<Hash>(arguments_, 0); }
  WARPAES_HOST_DEVICE const uint8_t* input() const { return arguments_.input; }
  WARPAES_HOST_DEVICE uint8_t* output() const { return arguments_.output; }

  /// The index of the message's block that lies at position 0 of a group. It is negative, at least -256,
  /// where the group begins before the message.
  WARPAES_HOST_DEVICE int64_t index_of(uint32_t group) const {
    return static_cast<int64_t>(group) * kGroupBlocks - skew() - (kHasJ0 ? 1 : 0);
  }

  /// Are all positions of the group blocks of the message, at multiples of 16? If another kind of warp has
  /// the message's ends, they are.
  WARPAES_HOST_DEVICE bool is_whole(uint32_t group) const {
    if (!Alone) return true;
    return is_aligned(input()) && is_aligned(output()) && index_of(group) >= 0 &&
           index_of(group + 1) <= static_cast<int64_t>(arguments_.bytes / 16);
  }

  /// @tparam Number uint32_t, or what is converted to it wherever it is needed, if there is no register for
  /// it
  template <class Number>
  WARPAES_HOST_DEVICE void crypt(const Number begin, const Number end) {
    uint32_t group = begin;
    while (group < end) {
      if (!is_whole(group)) {
        any_group(group++);
        continue;
      }
      prepare(group, Alone && group - begin >= kWarpLanes);
      const uint32_t prepared = group + kWarpLanes;
      for (uint32_t i = 0; group < end && group < prepared && is_whole(group); i++) {
        whole_group(group, i, group == begin);
        group++;
      }
    }
  }

  /// Computes what the first two rounds make of the counters of this group and of the 31 that follow, and of
  /// the last bytes.
  /// @param again has it been called in this run? A warp that works alone on a message has no register to
  ///        remember that; for others it is false
  WARPAES_HOST_DEVICE void prepare(uint32_t group, bool again) {
    thread_.sync_warp();  // all lanes have read the scratch for the last time
    SlicedState of_group = slice_repeated(keyed_counter(group + thread_.lane(), 0));
    sliced_rounds(of_group, arguments_.sliced_keys, 1, 2);
    WARPAES_UNROLL
    for (int i = 0; i < SlicedScratch::kFours; i++) scratch_.of_group[thread_.lane()][i] = four(of_group, i);
    thread_.sync_warp();
    if (again || prepared_) return;
    prepared_ = !Alone;
    SlicedBlocks blocks;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      blocks.block[j] = keyed_counter(group, thread_.lane() + kWarpLanes * j);
    }
    SlicedState of_last_byte = slice(blocks);
    sliced_rounds(of_last_byte, arguments_.sliced_keys, 1, 2);
    WARPAES_UNROLL
    for (int i = 0; i < SlicedScratch::kFours; i++) {
      scratch_.of_last_byte[i][thread_.lane()] = four(of_last_byte, i) ^ scratch_.of_group[0][i];
    }
  }

  /// @param prepared which of the 32 groups that prepare() has prepared this is
  WARPAES_HOST_DEVICE void whole_group(uint32_t group, uint32_t prepared, bool begins_run) {
    // The barrier keeps the compiler from loading once, for all groups, what does not change between them:
    // there are no registers to hold it.
    thread_.sync_warp();
    SlicedState s;
    const Four* const of_group = scratch_.of_group[prepared];
    WARPAES_UNROLL
    for (int i = 0; i < SlicedScratch::kFours; i++) {
      const Four sum = scratch_.of_last_byte[i][thread_.lane()] ^ of_group[i];
      WARPAES_UNROLL
      for (int k = 0; k < 4; k++) s.word[4 * i + k] = sum.word[k];
    }
    sliced_rounds(s, arguments_.sliced_keys, 3, Rounds - 1);
    substitute_and_shift_rows(s);
    const SlicedBlocks stream = unslice(s);

    const int64_t at = index_of(group) * 16;
    Rows rows(thread_, scratch_.between(thread_.lane()), input() + at, output() + at, begins_run);
    Gf128Sum sum;
    if constexpr (Hash != Hashed::nothing) sum.add(hash_, arguments_.powers.group);
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const Columns before = rows.load(j);
      const Columns after = exclusive_or(before, stream.block[j], arguments_.sliced_keys.last);
      rows.store(j, after);
      if constexpr (Hash != Hashed::nothing) {
        const Gf128 ciphertext = to_gf128(Hash == Hashed::output ? after : before);
        if (j < kSlicedBlocks - 1) {
          sum.add(ciphertext, arguments_.powers.of_thread(kSlicedBlocks - 1 - j));
        } else {
          hash_ = sum.reduced() ^ ciphertext;
        }
      }
    }
  }

  /// A group in which the message begins or ends, or whose memory is not aligned. It is done without cached
  /// rounds, and its blocks are loaded and stored byte by byte.
  WARPAES_HOST_DEVICE void any_group(uint32_t group) {
    SlicedBlocks blocks;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      blocks.block[j] = keyed_counter(group, thread_.lane() + kWarpLanes * j);
    }
    SlicedState s = slice(blocks);
    sliced_rounds(s, arguments_.sliced_keys, 1, Rounds - 1);
    substitute_and_shift_rows(s);
    blocks = unslice(s);
    thread_.sync_warp();  // all lanes have read the scratch for the last time
    Four* const stream = scratch_.of_group[thread_.lane()];
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const Columns block = blocks.block[j] ^ arguments_.sliced_keys.last;
      stream[j] = {{block.a, block.b, block.c, block.d}};
    }
    // A register for what does not change from group to group would be missing elsewhere.
    const int64_t first = index_of(group) + computed_again(thread_.lane());
    WARPAES_KEEP_ROLLED
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const Four block = stream[j];
      crypt_block(first + kWarpLanes * j, {block.word[0], block.word[1], block.word[2], block.word[3]});
    }
  }

  WARPAES_HOST_DEVICE void crypt_block(int64_t index, Columns stream) {
    if (kHasJ0 && index == -1) keep_mask(stream);
    const uint32_t bytes = index < 0 ? 0 : bytes_of_block(static_cast<uint64_t>(index), arguments_.bytes);
    // The pointers of an empty message may be null.
    const int64_t offset = bytes == 0 ? 0 : 16 * index;
    const Columns before = load_bytes(input() + offset, bytes), after = before ^ stream;
    store_bytes(output() + offset, after, bytes);
    if constexpr (Hash != Hashed::nothing) {
      hash_ = multiply_reduced(hash_, arguments_.powers.warp()) ^
              to_gf128(keep_bytes(Hash == Hashed::output ? after : before, bytes));
    }
  }

  /// The counter at a position of a group, with the first round key added.
  WARPAES_HOST_DEVICE Columns keyed_counter(uint32_t group, uint32_t position) const {
    Columns counter = initial_counter();
    counter.d = reverse_bytes(counter_ - skew() + group * kGroupBlocks + position);
    return counter ^ arguments_.sliced_keys.first;
  }

  /// @param end the group behind this run's last
  WARPAES_HOST_DEVICE Gf128 share_of_tag(uint32_t begin, uint32_t end) {
    // Block i is multiplied by H^(blocks + 1 - i), as the block of lengths comes last. Lane 31 has the run's
    // last block.
    const int64_t last = index_of(end) - 1,
                  exponent = static_cast<int64_t>(block_count(arguments_.bytes)) + 1 - last;
    Gf128 sum = times_power(sum_of_lanes(thread_, hash_, arguments_.powers), exponent, arguments_.powers);
    if (kHasJ0 && begin == 0) {
      sum = sum ^ hash_of_aad_and_lengths(thread_, arguments_, 0) ^ exclusive_or_of_lanes(thread_, mask());
    }
    return sum;
  }

  /// E_K(J0) stays in shared memory until the run is done, as there are no registers for it. The lane at
  /// whose position J0 was calls.
  WARPAES_HOST_DEVICE void keep_mask(Columns mask) {
    uint32_t* const words = scratch_.between(thread_.lane());
    words[0] = mask.a, words[1] = mask.b, words[2] = mask.c, words[3] = mask.d;
  }
  /// E_K(J0) in that lane, 0 in all others.
  WARPAES_HOST_DEVICE Gf128 mask() {
    if (thread_.lane() != skew() % kWarpLanes) return {0, 0};
    const uint32_t* const words = scratch_.between(thread_.lane());
    return to_gf128(Columns{words[0], words[1], words[2], words[3]});
  }

  WARPAES_HOST_DEVICE static Four four(const SlicedState& s, int i) {
    return {{s.word[4 * i], s.word[4 * i + 1], s.word[4 * i + 2], s.word[4 * i + 3]}};
  }

  Thread& thread_;
  SlicedScratch& scratch_;
  const Arguments& arguments_;
  const uint32_t run_;
  const uint32_t
      counter_;  // last 32 bits of the counter of the first block, or of J0 if J0 is in a group as well
  bool prepared_ = false;
  Gf128 hash_{0, 0};
};

/// The run of one of `warps_per_block` warps in each thread block, of which this is number `warp`. There are
/// as many runs as warps at most.
/// @return this warp's share of the tag
template <int Rounds, Hashed Hash, bool Alone, class Rows, class Thread, class Arguments>
WARPAES_HOST_DEVICE Gf128 take_sliced_run(Thread& thread, uint8_t* shared, const Arguments& arguments,
                                          uint32_t warp) {
  SlicedScratch& scratch = reinterpret_cast<SlicedScratch*>(shared)[warp];
  const uint32_t run = warp * thread.block_count() + thread.block();
  if (run >= arguments.sliced_runs) return {0, 0};
  const Gf128 sum =
      SlicedCounterRunner<Rounds, Hash, Alone, Rows, Thread, Arguments>(thread, scratch, arguments, run)();
  clear_scratch(thread, scratch);
  return sum;
}

namespace kernels::grid {

template <Hashed Hash>
using SlicedArgumentsOf = WithSlicedKeys<CounterArgumentsOf<Hash>>;

/// The kernel for CTR or GCM on bit planes alone.
template <Hashed Hash>
struct BitslicedCtrGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_ctr_gcm";
  using Arguments = SlicedArgumentsOf<Hash>;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int rounds) {
    const int threads = on.bitsliced_counter_threads;
    return {.threads = static_cast<uint32_t>(threads),
            .shared_bytes = static_cast<uint32_t>(warps(on, rounds).sliced) *
                            static_cast<uint32_t>(sizeof(SlicedScratch))};
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int) {
    return {0, on.bitsliced_counter_threads / static_cast<int>(kWarpLanes), 1000, 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    begin_only_message<Hash>(thread, arguments);
    const Gf128 sum = take_sliced_run<Rounds, Hash, true, AlignedGroupRows<Thread>>(thread, thread.shared(),
                                                                                    arguments, thread.warp());
    if constexpr (Hash != Hashed::nothing) end_only_message<Hash>(thread, arguments, sum);
  }
};

/// How hybrid kernels divide warps and groups.
template <Hashed Hash>
WARPAES_HOST_DEVICE constexpr const HybridSplit& hybrid_split(const LaunchPolicy& on) {
  return Hash == Hashed::nothing ? on.ctr_hybrid : on.gcm_hybrid;
}

/// @param blocks_a_thread how many blocks of a group a thread takes that looks up tables
template <Hashed Hash>
WARPAES_HOST_DEVICE constexpr CounterWarps hybrid_warps(const LaunchPolicy& on, int rounds,
                                                        uint32_t blocks_a_thread) {
  const HybridSplit& split = hybrid_split<Hash>(on);
  return {split.table_warps, split.threads / static_cast<int>(kWarpLanes) - split.table_warps,
          split.sliced_permille[(rounds - 10) / 2], blocks_a_thread};
}

/// The policy of a hybrid kernel. Behind the tables lies the scratch of the warps on bit planes, and behind
/// that the powers of H of the others.
template <Hashed Hash>
WARPAES_HOST_DEVICE constexpr KernelPolicy hybrid_policy(const LaunchPolicy& on) {
  const HybridSplit& split = hybrid_split<Hash>(on);
  if (split.threads == 0) return {};
  const auto table_warps = static_cast<uint32_t>(split.table_warps),
             sliced_warps = static_cast<uint32_t>(split.threads) / kWarpLanes - table_warps;
  KernelPolicy policy = with_tables(on.tables, split.threads);
  policy.shared_bytes += sliced_warps * static_cast<uint32_t>(sizeof(SlicedScratch));
  if (Hash != Hashed::nothing) policy.shared_bytes += table_warps * LanePower::kBytesOfWarp;
  policy.table_warps = split.table_warps;
  return policy;
}

/// The hybrid kernel for CTR or GCM: warps that look up tables and warps that compute on bit planes share a
/// message. The first warps of a thread block look up tables.
template <Hashed Hash>
struct HybridCtrGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/hybrid_ctr_gcm";
  using Arguments = SlicedArgumentsOf<Hash>;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return hybrid_policy<Hash>(on);
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int rounds) {
    return hybrid_warps<Hash>(on, rounds, kBlocksHybrid);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    constexpr uint32_t kTableWarps = kPolicy.table_warps;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    const Lane tables(thread.shared(), thread.lane());
    const LanePower power(thread,
                          thread.shared() + kPolicy.shared_bytes - kTableWarps * LanePower::kBytesOfWarp);
    if constexpr (Hash != Hashed::nothing) {
      if (thread.warp() < kTableWarps) {
        prepare_table_task<kPolicy.tables, Rounds, kBlocksHybrid, Hash>(thread, tables, power, arguments);
      }
    }
    thread.await_predecessors();
    begin_only_message<Hash>(thread, arguments);
    thread.barrier();
    Gf128 sum{0, 0};
    if (thread.warp() < kTableWarps) {
      sum = run_table_tasks<kPolicy.tables, Rounds, kBlocksHybrid, Hash>(thread, tables, power, arguments,
                                                                         kTableWarps);
    } else {
      sum = take_sliced_run<Rounds, Hash, false, AlignedGroupRows<Thread>>(
          thread, thread.shared() + kPolicy.tables * kTableBytes, arguments, thread.warp() - kTableWarps);
    }
    if constexpr (Hash != Hashed::nothing) {
      end_only_message<Hash>(thread, arguments, sum);
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
