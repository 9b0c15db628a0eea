// CTR, and GCM with GHASH fused into it: one pass over the data.
//
// Threads and memory. A message is cut into groups of 256 blocks, groups into two halves, and a warp
// takes one half of a run of consecutive groups: lane l has blocks l, l + 32, l + 64, l + 96 of the half,
// so that each access of a warp is 512 consecutive bytes. Its hash is one sum a lane, by Horner's rule
// with H^256 from group to group; the lanes' sums are weighted with their powers of H once, at the end
// of the run.
//
// Limits. Shared memory: 8 rounds of 16 look-ups and 5/4 for the counter's upper bytes (AES-128), plus
// 8 for the block's load and store. GHASH runs beside it on the carry-less multiplier.
// Timing class: conflict-free.
#pragma once

#include "kernels/cached_counters.hpp"
#include "kernels/counter_arguments.hpp"

namespace warpaes {

/// One warp's work on one run of a message.
template <int Tables, int Rounds, Hashed Hash, class Thread, class Arguments>
class CounterRunner {
 public:
  using Lane = LanePrivateTables<Tables>;

  /// @param task which message, run and half: those two warps that share a run have consecutive tasks
  WARPAES_HOST_DEVICE CounterRunner(Thread& thread, const Lane& tables, const Arguments& arguments,
                                    uint32_t task)
      : thread_(thread),
        tables_(tables),
        arguments_(arguments),
        task_(task),
        input_(arguments.input + message() * arguments.input_stride),
        output_(arguments.output + message() * arguments.output_stride) {}

  WARPAES_HOST_DEVICE void operator()() {
    const uint64_t groups = (block_count(arguments_.table_bytes) + kGroupBlocks - 1) / kGroupBlocks;
    const uint64_t first = run() * arguments_.table_groups_per_run;
    const uint64_t next = first + arguments_.table_groups_per_run, end = next < groups ? next : groups;
    if (first < end) crypt(static_cast<uint32_t>(first), static_cast<uint32_t>(end));
    if constexpr (Hash != Hashed::nothing) hand_in(static_cast<uint32_t>(end));
  }

 private:
  // Computed where they are needed, as registers are short in between.
  WARPAES_HOST_DEVICE uint32_t half() const { return task_ & 1; }
  WARPAES_HOST_DEVICE uint32_t position() const { return half() * (kGroupBlocks / 2) + thread_.lane(); }
  WARPAES_HOST_DEVICE uint32_t run() const { return task_ / 2 % arguments_.table_runs; }
  WARPAES_HOST_DEVICE uint64_t message() const { return task_ / 2 / arguments_.table_runs; }

  WARPAES_HOST_DEVICE Columns initial_counter() const { return first_counter<Hash>(arguments_, message()); }

  WARPAES_HOST_DEVICE void crypt(uint32_t first, uint32_t end) {
    const auto initial = [this] { return initial_counter(); };
    CachedCounters<Tables, decltype(initial)> counters(tables_, arguments_.keys, initial, position(), first);
    const bool aligned = is_aligned(input_) && is_aligned(output_);
    const uint32_t whole_groups = static_cast<uint32_t>(arguments_.table_bytes / (16 * kGroupBlocks));
    for (uint32_t group = first; group < end; group++) {
      counters.start_group(group);
      if (aligned && group < whole_groups) {
        whole_group(counters, group);
      } else {
        any_group(group);
      }
    }
  }

  template <class Counters>
  WARPAES_HOST_DEVICE void whole_group(Counters& counters, uint32_t group) {
    // The same for the whole warp, but for a 32-bit offset: so the addresses cost few registers.
    const uint64_t at = static_cast<uint64_t>(group) * kGroupBlocks * 16;
    const uint8_t* const input = input_ + at;
    uint8_t* const output = output_ + at;
    Gf128Sum sum;
    if constexpr (Hash != Hashed::nothing) sum.add(hash_, arguments_.powers.group);
    Gf128 last{0, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const uint32_t offset = (position() + kWarpLanes * k) * 16;
      const Columns in = load_aligned(input + offset);
      const Columns out =
          in ^ tables_.template encrypt<Rounds, 3>(counters.after_two_rounds(k), arguments_.keys);
      store_aligned(output + offset, out);
      if constexpr (Hash != Hashed::nothing) {
        const Gf128 ciphertext = to_gf128(Hash == Hashed::output ? out : in);
        if (k < kThreadBlocks - 1) {
          sum.add(ciphertext, arguments_.powers.of_thread(kThreadBlocks - 1 - k));
        } else {
          last = ciphertext;
        }
      }
    }
    if constexpr (Hash != Hashed::nothing) hash_ = sum.reduced() ^ last;
  }

  /// A group that ends within the message, or whose memory is not aligned: byte by byte, nothing cached.
  WARPAES_HOST_DEVICE void any_group(uint32_t group) {
    const Columns initial = initial_counter();
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const uint64_t index = static_cast<uint64_t>(group) * kGroupBlocks + position() + kWarpLanes * k;
      const uint64_t offset = 16 * index;
      const uint32_t bytes = bytes_of_block(index, arguments_.table_bytes);
      Columns counter = initial;
      counter.d = reverse_bytes(reverse_bytes(initial.d) + static_cast<uint32_t>(index));
      const Columns in = load_bytes(input_ + offset, bytes);
      const Columns out = in ^ encrypt_block(counter);
      store_bytes(output_ + offset, out, bytes);
      if constexpr (Hash != Hashed::nothing) {
        const GhashPowers& powers = arguments_.powers;
        hash_ = multiply_reduced(hash_, k == 0 ? powers.gap : powers.warp()) ^
                to_gf128(keep_bytes(Hash == Hashed::output ? out : in, bytes));
      }
    }
  }

  WARPAES_HOST_DEVICE Columns encrypt_block(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }

  /// @param end where this run's groups end
  WARPAES_HOST_DEVICE void hand_in(uint32_t end) {
    // Block i counts H^(blocks + 1 - i), as the lengths' block comes last. Lane 31 has the run's last.
    const int64_t last = static_cast<int64_t>(end) * kGroupBlocks - (half() == 0 ? kGroupBlocks / 2 : 0) - 1,
                  exponent = static_cast<int64_t>(block_count(arguments_.bytes)) + 1 - last;
    Gf128 sum = times_power(sum_of_lanes(thread_, hash_, arguments_.powers), exponent, arguments_.powers);
    const uint32_t part = 2 * run() + half();
    if (part == 0) {
      Columns j0 = initial_counter();
      j0.d = reverse_bytes(reverse_bytes(j0.d) - 1);
      sum = sum ^ hash_of_aad_and_lengths(thread_, arguments_, message()) ^ to_gf128(encrypt_block(j0));
    }
    add_part<Hash>(thread_, arguments_, message(), part, sum);
  }

  Thread& thread_;
  const Lane& tables_;
  const Arguments& arguments_;
  const uint32_t task_;
  const uint8_t* const input_;
  uint8_t* const output_;
  Gf128 hash_{0, 0};
};

/// The tasks of one of `warps` warps that share them; neighbouring ones go to different blocks, so that a
/// few of them use many multiprocessors.
template <int Tables, int Rounds, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE void run_table_tasks(Thread& thread, const LanePrivateTables<Tables>& tables,
                                         const Arguments& arguments, uint32_t warps_per_block) {
  const uint32_t tasks = arguments.messages * arguments.table_runs * 2;
  uint32_t task = thread.warp() * thread.block_count() + thread.block();
  for (; task < tasks; task += warps_per_block * thread.block_count()) {
    CounterRunner<Tables, Rounds, Hash, Thread, Arguments>(thread, tables, arguments, task)();
  }
}

/// The kernel's body: fills the tables, then lets this warp take one task after the other.
template <int Tables, int Rounds, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE void counter_mode(Thread& thread, const Arguments& arguments, const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  const Lane tables(thread.shared(), thread.lane());
  run_table_tasks<Tables, Rounds, Hash>(thread, tables, arguments, thread.count() / kWarpLanes);
}

}  // namespace warpaes
