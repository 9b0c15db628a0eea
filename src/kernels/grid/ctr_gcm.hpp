// CTR, and GCM with GHASH fused into it: one pass over the data.
//
//     message    | run 0: group 0, 1, 2 … | run 1 | run 2 | …      two warps share a run: four blocks a lane
//     group      | 0 … 31 | 32 … 63 | 64 … 95 | 96 … 127 | 128 … 159 | … | 224 … 255 |
//                  warp a: lane l has block l of each 32   warp b: the same for the other half
//
// Threads and memory. Groups and runs are explained in grid/ctr_gcm_arguments.hpp. A group has 256 blocks, of
// which a thread takes 4 (or 2). So 2 (or 4) warps share a run, each of them with the same part of all its
// groups: lane l of the part that begins at position p has the blocks p + l, p + l + 32 and so on, so that
// each access of a warp is 512 consecutive bytes. A lane's hash is one sum, by Horner's rule with H^256 from
// group to group. At the end of the run the lanes' sums are multiplied by their powers of H, which were made
// before the run (LanePower), and added.
//
// Limits. Shared memory: with AES-128 8 rounds of 16 look-ups, 5/4 for the counter's upper bytes, and as much
// as 8 look-ups for the block's load and store. GHASH runs beside that on the carry-less multiplier.
// Timing class: conflict-free.
#pragma once

#include <type_traits>

#include "kernels/grid/ctr_gcm_arguments.hpp"
#include "kernels/kernel.hpp"
#include "kernels/warp/cached_counters.hpp"

namespace warpaes::core {

/// How many blocks of a group a thread takes. In the hybrid kernel, the code of both kinds of warps has to
/// fit into the instruction cache; alone, more blocks share the five look-ups of a group.
constexpr uint32_t kBlocksAlone = 4, kBlocksHybrid = 2;

/// What the tag has besides the data's hash: E_K(J0), the additional data and the lengths. In all lanes.
template <Hashed Hash, int Rounds, int Tables, class Thread, class Arguments>
WARPAES_HOST_DEVICE Gf128 frame_of_tag(Thread& thread, const LanePrivateTables<Tables>& tables,
                                       const Arguments& arguments, uint64_t message) {
  Columns j0 = first_counter<Hash>(arguments, message);
  j0.d = reverse_bytes(reverse_bytes(j0.d) - 1);
  const Columns keyed = LanePrivateTables<Tables>::add_round_key(j0, arguments.keys, 0),
                mask = tables.template encrypt<Rounds, 1>(keyed, arguments.keys);
  return hash_of_aad_and_lengths(thread, arguments, message) ^ to_gf128(mask);
}

/// Is frame_of_tag() left to the caller of what works on a part of a message?
template <class Arguments>
constexpr bool frame_is_added_later = requires { Arguments::kFrameIsAddedLater; };

/// Does a warp of its own make frame_of_tag()? A single message often leaves some without a part, and the one
/// with the first part would be the last to end. The hybrid kernel has a part for each warp.
template <uint32_t Blocks, class Arguments>
WARPAES_HOST_DEVICE bool frame_is_apart(const Arguments& arguments) {
  return Blocks == kBlocksAlone && arguments.blocks_publish();
}

/// One warp's work on one run of a message.
/// @tparam Blocks how many blocks of a group a thread takes
template <int Tables, int Rounds, uint32_t Blocks, Hashed Hash, class Thread, class Arguments>
class CounterRunner {
 public:
  using Lane = LanePrivateTables<Tables>;
  static constexpr uint32_t kShares = kGroupBlocks / kWarpLanes / Blocks;
  /// How many groups a run has at most for which conditions cost less than to fetch the code without them.
  static constexpr uint32_t kShortRun = 4;
  /// Is there fast code for groups that lack blocks, or do they take the slow code for any group? The hybrid
  /// kernel has only two such groups in a message of 128 MiB or more. In CTR, its warps are slowed down by
  /// the additional code (docs/notes/2026-11-25-one-launch.md).
  static constexpr bool kHasEnds = Blocks == kBlocksAlone || Hash != Hashed::nothing;

  /// @param task a number that tells which message, run and share of the run; warps that share a run have
  ///        consecutive tasks
  WARPAES_HOST_DEVICE CounterRunner(Thread& thread, const Lane& tables, const LanePower& power,
                                    const Arguments& arguments, uint32_t task)
      : thread_(thread),
        tables_(tables),
        power_(power),
        arguments_(arguments),
        task_(task),
        input_(arguments.input + message() * arguments.input_stride),
        output_(arguments.output + message() * arguments.output_stride),
        counter_(first_counter_number<Hash>(arguments)) {}

  /// To be called before operator(). It reads no memory of the message.
  WARPAES_HOST_DEVICE void prepare() const {
    // Block i is multiplied by H^(blocks + 1 - i), as the block of lengths comes last. Lane 31 has the run's
    // last block.
    const int64_t share_end = (share() + 1) * kWarpLanes * Blocks,
                  last = static_cast<int64_t>(groups().end - 1) * kGroupBlocks + share_end - skew() - 1;
    power_.prepare(thread_, static_cast<int64_t>(block_count(arguments_.bytes)) + 1 - last,
                   arguments_.powers);
  }

  /// @return the part's share of the tag, in all lanes; nothing in CTR
  WARPAES_HOST_DEVICE Gf128 operator()() {
    const Groups run = groups();
    crypt(run.begin, run.end);
    if constexpr (Hash != Hashed::nothing) return share_of_tag();
    return {0, 0};
  }

  WARPAES_HOST_DEVICE uint64_t message() const { return task_ / kShares / arguments_.table_runs; }
  /// The number of this part among those of its message.
  WARPAES_HOST_DEVICE uint32_t part() const { return kShares * run() + share(); }

 private:
  /// Does this part add what the tag has besides the data's hash?
  WARPAES_HOST_DEVICE bool has_frame() const {
    if constexpr (frame_is_added_later<Arguments>) {
      return false;
    } else {
      return part() == 0 && !frame_is_apart<Blocks>(arguments_);
    }
  }

  WARPAES_HOST_DEVICE Groups groups() const { return groups_of_table_run(arguments_, run()); }

  // These are computed where they are needed, as there are no registers to keep them in between.
  WARPAES_HOST_DEVICE uint32_t share() const { return task_ % kShares; }
  WARPAES_HOST_DEVICE uint32_t position() const { return share() * (kWarpLanes * Blocks) + thread_.lane(); }
  WARPAES_HOST_DEVICE uint32_t run() const { return task_ / kShares % arguments_.table_runs; }
  /// The position of the message's first block in group 0.
  WARPAES_HOST_DEVICE uint32_t skew() const { return counter_ & (kGroupBlocks - 1); }
  WARPAES_HOST_DEVICE uint32_t counter_of(uint32_t group) const {
    return counter_ - skew() + group * kGroupBlocks;
  }
  WARPAES_HOST_DEVICE Columns initial_counter() const { return first_counter<Hash>(arguments_, message()); }

  WARPAES_HOST_DEVICE void crypt(uint32_t group, uint32_t end) {
    const auto initial = [this] { return initial_counter(); };
    CachedCounters<Tables, Blocks, decltype(initial)> counters(tables_, arguments_.keys, initial, position(),
                                                               counter_of(group));
    const bool aligned = is_aligned(input_) && is_aligned(output_);
    // Groups whose 256 positions are all blocks of the message. If runs are short, all warps take the code
    // for groups that may lack blocks: it is in the instruction cache then when the message's ends need it.
    const bool short_runs = kHasEnds && arguments_.table_groups_per_run <= kShortRun;
    const uint32_t full_from = skew() == 0 ? 0 : 1,
                   full_to = !aligned || short_runs
                                 ? 0
                                 : static_cast<uint32_t>((arguments_.bytes / 16 + skew()) / kGroupBlocks);
    for (; group < end; group++) {
      if (group >= full_from && group < full_to) {
        counters.start_group(counter_of(group));
        whole_blocks<true>(counters, group);
      } else if (kHasEnds && aligned &&
                 (arguments_.bytes % 16 == 0 || whole_blocks_from(group) >= kGroupBlocks)) {
        counters.start_group(counter_of(group));
        whole_blocks<false>(counters, group);
      } else {
        any_group(group);
      }
    }
  }

  /// How many positions there are from the group's first to the message's last whole block.
  WARPAES_HOST_DEVICE uint64_t whole_blocks_from(uint32_t group) const {
    return arguments_.bytes / 16 + skew() - uint64_t{group} * kGroupBlocks;
  }

  /// A group whose blocks are whole and lie at multiples of 16.
  /// @tparam Full does it have 256 blocks? If not, the message begins behind the first positions of its first
  ///         group, or ends before the last positions of its last one
  template <bool Full, class Counters>
  WARPAES_HOST_DEVICE void whole_blocks(const Counters& counters, uint32_t group) {
    uint32_t first = 0, count = kGroupBlocks;
    if constexpr (!Full) {
      if (group == 0) first = skew();
      const uint64_t left = whole_blocks_from(group);
      count = (left < kGroupBlocks ? static_cast<uint32_t>(left) : kGroupBlocks) - first;
    }
    // The address is the same in the whole warp but for an offset of 32 bits, so that it costs few registers.
    // A group that may begin before the message has an index instead, which then wraps, and does so again
    // when an offset within the message is added: no pointer may point there.
    const uint64_t at = (static_cast<uint64_t>(group) * kGroupBlocks - skew()) * 16;
    const uint64_t pointed = Full ? at : 0, index = Full ? 0 : at;
    const uint8_t* const input = input_ + pointed;
    uint8_t* const output = output_ + pointed;
    Gf128Sum sum;
    if constexpr (Hash != Hashed::nothing) sum.add(hash_, arguments_.powers.group);
    Gf128 last{0, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < Blocks; k++) {
      const uint32_t place = position() + kWarpLanes * k, offset = place * 16;
      const bool there = Full || place - first < count;
      Columns in{0, 0, 0, 0};
      if (there) in = load_aligned(input + (index + offset));
      const Columns out =
          in ^ tables_.template encrypt<Rounds, 3>(counters.after_two_rounds(k), arguments_.keys);
      if (there) store_aligned(output + (index + offset), out);
      if constexpr (Hash != Hashed::nothing) {
        // What was not loaded is 0.
        const Gf128 ciphertext = Hash == Hashed::input ? to_gf128(in)
                                 : Full                ? to_gf128(out)
                                                       : to_gf128_if(there, out);
        if (k < Blocks - 1) {
          sum.add(ciphertext, arguments_.powers.of_thread(Blocks - 1 - k));
        } else {
          last = ciphertext;
        }
      }
    }
    if constexpr (Hash != Hashed::nothing) hash_ = sum.reduced() ^ last;
  }

  /// The group with a last block that is not whole, or any whose memory is not aligned. It is done without
  /// cached rounds, and its blocks are loaded and stored byte by byte.
  WARPAES_HOST_DEVICE void any_group(uint32_t group) {
    Columns counter = initial_counter();
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < Blocks; k++) {
      const uint32_t place = position() + kWarpLanes * k;
      const int64_t index = static_cast<int64_t>(group) * kGroupBlocks + place - skew();
      const uint32_t bytes = index < 0 ? 0 : bytes_of_block(static_cast<uint64_t>(index), arguments_.bytes);
      counter.d = reverse_bytes(counter_of(group) + place);
      // The pointers of an empty message may be null.
      const int64_t offset = bytes == 0 ? 0 : 16 * index;
      const Columns in = load_bytes(input_ + offset, bytes);
      const Columns out = in ^ encrypt_block(counter);
      store_bytes(output_ + offset, out, bytes);
      if constexpr (Hash != Hashed::nothing) {
        const GhashPowers& powers = arguments_.powers;
        hash_ = multiply_reduced(hash_, k == 0 ? powers.across_shares(Blocks) : powers.warp()) ^
                to_gf128(keep_bytes(Hash == Hashed::output ? out : in, bytes));
      }
    }
  }

  WARPAES_HOST_DEVICE Columns encrypt_block(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }

  WARPAES_HOST_DEVICE Gf128 share_of_tag() {
    Gf128 sum = power_.use(thread_, hash_);
    if (has_frame()) sum = sum ^ frame_of_tag<Hash, Rounds>(thread_, tables_, arguments_, message());
    return sum;
  }

  Thread& thread_;
  const Lane& tables_;
  const LanePower& power_;
  const Arguments& arguments_;
  const uint32_t task_;
  const uint8_t* const input_;
  uint8_t* const output_;
  const uint32_t counter_;  // the last 32 bits of the first block's counter
  Gf128 hash_{0, 0};
};

/// The first task of a warp. Neighbouring tasks go to different thread blocks, so that a small number of them
/// still uses many multiprocessors.
template <class Thread>
WARPAES_HOST_DEVICE uint32_t first_table_task(Thread& thread) {
  return thread.warp() * thread.block_count() + thread.block();
}

/// What a warp of the only message does before it waits for the kernel's predecessors.
template <int Tables, int Rounds, uint32_t Blocks, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE void prepare_table_task(Thread& thread, const LanePrivateTables<Tables>& tables,
                                            const LanePower& power, const Arguments& arguments) {
  using Runner = CounterRunner<Tables, Rounds, Blocks, Hash, Thread, Arguments>;
  const uint32_t task = first_table_task(thread);
  if (!arguments.blocks_publish() || task >= arguments.table_runs * Runner::kShares) return;
  Runner(thread, tables, power, arguments, task).prepare();
}

/// The tasks of one of `warps_per_block` warps in each thread block that share them.
/// @param power that of the first task if there is only one message: see prepare_table_task()
/// @return this warp's share of the tag, if the thread block is to publish it
template <int Tables, int Rounds, uint32_t Blocks, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE Gf128 run_table_tasks(Thread& thread, const LanePrivateTables<Tables>& tables,
                                          const LanePower& power, const Arguments& arguments,
                                          uint32_t warps_per_block) {
  using Runner = CounterRunner<Tables, Rounds, Blocks, Hash, Thread, Arguments>;
  const uint32_t tasks = arguments.messages * arguments.table_runs * Runner::kShares;
  const uint32_t warps = warps_per_block * thread.block_count();
  uint32_t task = first_table_task(thread);
  Gf128 sum{0, 0};
  for (; task < tasks; task += warps) {
    Runner runner(thread, tables, power, arguments, task);
    if constexpr (Hash != Hashed::nothing && Blocks != kBlocksHybrid) {
      if (!arguments.blocks_publish()) runner.prepare();
    }
    sum = runner();
    // The hybrid kernel is for a single message, of which a warp has at most one part.
    if constexpr (Blocks == kBlocksHybrid) return sum;
    if constexpr (Hash != Hashed::nothing) {
      if (!arguments.blocks_publish()) {
        add_part<Hash>(thread, arguments, runner.message(), runner.part(), sum);
      }
    }
  }
  if constexpr (Hash != Hashed::nothing) {
    // `task` is this warp's first task behind the last one, so only one warp has the number `tasks` next.
    if (frame_is_apart<Blocks>(arguments) && task == tasks) {
      sum = sum ^ frame_of_tag<Hash, Rounds>(thread, tables, arguments, 0);
    }
  }
  return sum;
}

namespace kernels::grid {

/// Which warps a thread block of such a kernel has, and what share of a message goes to each kind.
struct CounterWarps {
  int tables, sliced;
  int sliced_permille;       // how many of 1000 groups of a message go to the warps on bit planes
  uint32_t blocks_a_thread;  // how many blocks of a group a thread that looks up tables takes
};

/// How many threads the thread blocks of a kernel for CTR or GCM have that looks up tables only.
template <Hashed Hash>
WARPAES_HOST_DEVICE constexpr int counter_threads(const LaunchPolicy& on) {
  return Hash == Hashed::nothing || on.lane_power_threads == 0 ? on.counter_threads : on.lane_power_threads;
}

/// The policy of such a kernel. In GCM the powers that its warps prepare lie behind the tables.
template <Hashed Hash>
WARPAES_HOST_DEVICE constexpr KernelPolicy counter_policy(const LaunchPolicy& on) {
  if (Hash == Hashed::nothing) return with_tables(on.tables, counter_threads<Hash>(on));
  KernelPolicy policy = with_tables(on.tables_with_room, counter_threads<Hash>(on));
  policy.shared_bytes_a_warp = LanePower::kBytesOfWarp;
  return policy;
}

template <Hashed Hash>
using CounterArgumentsOf = std::conditional_t<Hash == Hashed::nothing, CounterArguments, GcmArguments>;

/// The kernel for CTR or GCM. Whether GCM encrypts or decrypts follows from what is hashed.
template <Hashed Hash>
struct CtrGcm : ForEveryKeySize {
  static constexpr const char* kName = "grid/ctr_gcm";
  using Arguments = CounterArgumentsOf<Hash>;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return counter_policy<Hash>(on);
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int) {
    return {counter_threads<Hash>(on) / static_cast<int>(kWarpLanes), 0, 0, kBlocksAlone};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), thread.t0(), thread.index(), thread.count());
    const Lane tables(thread.shared(), thread.lane());
    const LanePower power(thread, thread.shared() + kPolicy.shared_bytes);
    if constexpr (Hash != Hashed::nothing) {
      prepare_table_task<kPolicy.tables, Rounds, kBlocksAlone, Hash>(thread, tables, power, arguments);
    }
    thread.await_predecessors();
    begin_only_message<Hash>(thread, arguments);
    thread.barrier();
    const Gf128 sum = run_table_tasks<kPolicy.tables, Rounds, kBlocksAlone, Hash>(
        thread, tables, power, arguments, thread.count() / kWarpLanes);
    if constexpr (Hash != Hashed::nothing) {
      if (arguments.blocks_publish()) end_only_message<Hash>(thread, arguments, sum);
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
