// CTR, and GCM with GHASH fused into it: one pass over the data.
//
// Threads and memory. A message is cut into groups of 256 blocks, groups into two halves, and a warp
// takes one half of a run of consecutive groups: lane l has blocks l, l + 32, l + 64, l + 96 of the half,
// so that each access of a warp is 512 consecutive bytes. Its hash is one sum a lane, by Horner's rule
// with H^256 from group to group; the lanes' sums are weighted with their powers of H once, at the end
// of the run. A warp writes its run's sum to the workspace, and the one that comes last for a message
// adds them up with the AAD and the lengths, and writes or compares the tag.
//
// Limits. Shared memory: 8 rounds of 16 look-ups and 5/4 for the counter's upper bytes (AES-128), plus
// 8 for the block's load and store. GHASH runs beside it on the carry-less multiplier.
// Timing class: conflict-free.
#pragma once

#include "kernels/cached_counters.hpp"

namespace warpaes {

struct CounterArguments {
  RoundKeys keys;
  Columns initial;  // counter of the first block; its last 32 bits must not wrap in CTR
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // of each message, at most 2^36: groups count in 32 bits
  uint32_t runs;   // a message
  uint32_t groups_per_run;
  uint32_t messages;  // 2 * runs * messages fits 32 bits
  uint64_t input_stride, output_stride;
};

struct GcmArguments : CounterArguments {
  const uint8_t* nonces;  // 12 bytes each; null: `initial` is inc32(J0) of the only message
  uint64_t nonce_stride;
  const uint8_t* aad;
  uint64_t aad_bytes, aad_stride;
  uint8_t* tags;
  uint64_t tag_stride;
  uint32_t tag_bytes;
  int32_t* statuses;
  uint32_t* arrivals;  // one a message, zero at the start
  Gf128* sums;         // 2 * runs a message
  GhashPowers powers;
};

/// Which side of the XOR is ciphertext, and so what GHASH reads.
enum class Hashed { nothing, output, input };

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
    const uint64_t blocks = (arguments_.bytes + 15) / 16, groups = (blocks + kGroupBlocks - 1) / kGroupBlocks;
    const uint64_t first = run() * arguments_.groups_per_run;
    const uint64_t end =
        first + arguments_.groups_per_run < groups ? first + arguments_.groups_per_run : groups;
    if (first < end) crypt(static_cast<uint32_t>(first), static_cast<uint32_t>(end));
    if constexpr (Hash != Hashed::nothing) finish_run(blocks, end);
  }

 private:
  // Computed where they are needed, as registers are short in between.
  WARPAES_HOST_DEVICE uint32_t half() const { return task_ & 1; }
  WARPAES_HOST_DEVICE uint32_t position() const { return half() * (kGroupBlocks / 2) + thread_.lane(); }
  WARPAES_HOST_DEVICE uint32_t run() const { return task_ / 2 % arguments_.runs; }
  WARPAES_HOST_DEVICE uint64_t message() const { return task_ / 2 / arguments_.runs; }

  /// The counter of block 0: inc32(J0), with J0 = nonce || 0^31 1 for a nonce of 96 bits (7.1 step 2).
  WARPAES_HOST_DEVICE Columns first_counter() const {
    if constexpr (Hash != Hashed::nothing) {
      if (arguments_.nonces != nullptr) {
        Columns counter = load_bytes(arguments_.nonces + message() * arguments_.nonce_stride, 12);
        counter.d = reverse_bytes(2);
        return counter;
      }
    }
    return arguments_.initial;
  }

  WARPAES_HOST_DEVICE void crypt(uint32_t first, uint32_t end) {
    const auto initial = [this] { return first_counter(); };
    CachedCounters<Tables, decltype(initial)> counters(tables_, arguments_.keys, initial, position(), first);
    const bool aligned = is_aligned(input_) && is_aligned(output_);
    const uint32_t whole_groups = static_cast<uint32_t>(arguments_.bytes / (16 * kGroupBlocks));
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
          sum.add(ciphertext, arguments_.powers.within[k]);
        } else {
          last = ciphertext;
        }
      }
    }
    if constexpr (Hash != Hashed::nothing) hash_ = sum.reduced() ^ last;
  }

  /// A group that ends within the message, or whose memory is not aligned: byte by byte, nothing cached.
  WARPAES_HOST_DEVICE void any_group(uint32_t group) {
    const Columns initial = first_counter();
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const uint64_t index = static_cast<uint64_t>(group) * kGroupBlocks + position() + kWarpLanes * k;
      const uint64_t offset = 16 * index;
      const uint64_t left = offset < arguments_.bytes ? arguments_.bytes - offset : 0;
      const uint32_t bytes = left < 16 ? static_cast<uint32_t>(left) : 16;
      Columns counter = initial;
      counter.d = reverse_bytes(reverse_bytes(initial.d) + static_cast<uint32_t>(index));
      const Columns in = load_bytes(input_ + offset, bytes);
      const Columns out = in ^ encrypt_block(counter);
      store_bytes(output_ + offset, out, bytes);
      if constexpr (Hash != Hashed::nothing) {
        const GhashPowers& powers = arguments_.powers;
        hash_ = multiply_reduced(hash_, k == 0 ? powers.gap : powers.within[kThreadBlocks - 2]) ^
                to_gf128(keep_bytes(Hash == Hashed::output ? out : in, bytes));
      }
    }
  }

  WARPAES_HOST_DEVICE Columns encrypt_block(Columns block) const {
    const RoundKeys& keys = arguments_.keys;
    return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(block, keys, 0), keys);
  }

  /// @param end where this run's groups end
  WARPAES_HOST_DEVICE void finish_run(uint64_t blocks, uint32_t end) {
    // Block i counts H^(blocks + 1 - i), as the lengths' block comes last. Lane 31 has the run's last.
    const int64_t last = static_cast<int64_t>(end) * kGroupBlocks - (half() == 0 ? kGroupBlocks / 2 : 0) - 1;
    const Gf128 sum = times_power(sum_of_lanes(thread_, hash_, arguments_.powers),
                                  static_cast<int64_t>(blocks) + 1 - last, arguments_.powers);
    Gf128* sums = arguments_.sums + message() * 2 * arguments_.runs;
    if (thread_.lane() == 0) thread_.publish(sums + 2 * run() + half(), sum);
    if (thread_.arrive(arguments_.arrivals + message()) == 2 * arguments_.runs - 1)
      finish_message(blocks, sums);
  }

  WARPAES_HOST_DEVICE void finish_message(uint64_t blocks, const Gf128* sums) {
    Gf128 sum{0, 0};
    for (uint64_t i = thread_.lane(); i < 2 * arguments_.runs; i += kWarpLanes)
      sum = sum ^ thread_.collect(sums + i);
    sum = exclusive_or_of_lanes(thread_, sum) ^ hash_of_aad(blocks);
    const Gf128 lengths = ghash_lengths(arguments_.aad_bytes, arguments_.bytes);
    sum = sum ^ gf128_multiply(lengths, arguments_.powers.positive[0]);

    Columns j0 = first_counter();
    j0.d = reverse_bytes(reverse_bytes(j0.d) - 1);
    const Columns tag = to_columns(sum) ^ encrypt_block(j0);
    if (thread_.lane() != 0) return;
    uint8_t* stored = arguments_.tags + message() * arguments_.tag_stride;
    if constexpr (Hash == Hashed::output) {
      store_bytes(stored, tag, arguments_.tag_bytes);
    } else {
      const Columns difference =
          load_bytes(stored, arguments_.tag_bytes) ^ keep_bytes(tag, arguments_.tag_bytes);
      const bool equal = (difference.a | difference.b | difference.c | difference.d) == 0;
      arguments_.statuses[message()] = equal ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
    }
  }

  /// One warp for all of it: AAD is short.
  WARPAES_HOST_DEVICE Gf128 hash_of_aad(uint64_t blocks) {
    const uint8_t* aad = arguments_.aad + message() * arguments_.aad_stride;
    const uint64_t aad_blocks = (arguments_.aad_bytes + 15) / 16,
                   turns = (aad_blocks + kWarpLanes - 1) / kWarpLanes;
    if (turns == 0) return {0, 0};
    Gf128 hash{0, 0};
    for (uint64_t turn = 0; turn < turns; turn++) {
      const uint64_t offset = 16 * (turn * kWarpLanes + thread_.lane());
      const uint64_t left = offset < arguments_.aad_bytes ? arguments_.aad_bytes - offset : 0;
      const Columns block = load_bytes(aad + offset, left < 16 ? static_cast<uint32_t>(left) : 16);
      hash = multiply_reduced(hash, arguments_.powers.within[kThreadBlocks - 2]) ^ to_gf128(block);
    }
    const uint64_t last = turns * kWarpLanes - 1;
    return times_power(sum_of_lanes(thread_, hash, arguments_.powers),
                       static_cast<int64_t>(aad_blocks + blocks + 1 - last), arguments_.powers);
  }

  Thread& thread_;
  const Lane& tables_;
  const Arguments& arguments_;
  const uint32_t task_;
  const uint8_t* const input_;
  uint8_t* const output_;
  Gf128 hash_{0, 0};
};

/// The kernel's body: fills the tables, then lets this warp take one task after the other.
template <int Tables, int Rounds, Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE void counter_mode(Thread& thread, const Arguments& arguments, const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  const Lane tables(thread.shared(), thread.lane());
  // Neighbouring tasks go to different blocks, so that a few of them use many multiprocessors.
  const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
  const uint32_t tasks = arguments.messages * arguments.runs * 2;
  uint32_t task = thread.warp() * thread.block_count() + thread.block();
  for (; task < tasks; task += warps) {
    CounterRunner<Tables, Rounds, Hash, Thread, Arguments>(thread, tables, arguments, task)();
  }
}

}  // namespace warpaes
