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
  uint64_t bytes;  // of each message
  uint64_t runs;   // a message
  uint64_t groups_per_run;
  uint64_t messages;
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

  WARPAES_HOST_DEVICE CounterRunner(Thread& thread, const Lane& tables, const Arguments& arguments,
                                    uint64_t task)
      : thread_(thread),
        tables_(tables),
        arguments_(arguments),
        half_(static_cast<uint32_t>(task & 1)),
        run_(task / 2 % arguments.runs),
        message_(task / 2 / arguments.runs),
        position_(half_ * (kGroupBlocks / 2) + thread.lane()),
        input_(arguments.input + message_ * arguments.input_stride),
        output_(arguments.output + message_ * arguments.output_stride) {}

  WARPAES_HOST_DEVICE void operator()() {
    const uint64_t blocks = (arguments_.bytes + 15) / 16, groups = (blocks + kGroupBlocks - 1) / kGroupBlocks;
    const uint64_t first = run_ * arguments_.groups_per_run;
    const uint64_t end =
        first + arguments_.groups_per_run < groups ? first + arguments_.groups_per_run : groups;
    const Columns initial = first_counter();
    if (first < end) crypt(initial, static_cast<uint32_t>(first), static_cast<uint32_t>(end));
    if constexpr (Hash != Hashed::nothing) finish_run(initial, blocks, first, end);
  }

 private:
  /// The counter of block 0: inc32(J0), with J0 = nonce || 0^31 1 for a nonce of 96 bits (7.1 step 2).
  WARPAES_HOST_DEVICE Columns first_counter() const {
    if constexpr (Hash != Hashed::nothing) {
      if (arguments_.nonces != nullptr) {
        Columns counter = load_bytes(arguments_.nonces + message_ * arguments_.nonce_stride, 12);
        counter.d = reverse_bytes(2);
        return counter;
      }
    }
    return arguments_.initial;
  }

  WARPAES_HOST_DEVICE void crypt(Columns initial, uint32_t first, uint32_t end) {
    CachedCounters<Tables> counters(tables_, arguments_.keys, initial, position_, first);
    const bool aligned = is_aligned(input_) && is_aligned(output_);
    const uint32_t whole_groups = static_cast<uint32_t>(arguments_.bytes / (16 * kGroupBlocks));
    for (uint32_t group = first; group < end; group++) {
      counters.start_group();
      if (aligned && group < whole_groups) {
        whole_group(counters, group);
      } else {
        any_group(initial, group);
      }
    }
  }

  WARPAES_HOST_DEVICE void whole_group(const CachedCounters<Tables>& counters, uint32_t group) {
    const uint64_t offset = (static_cast<uint64_t>(group) * kGroupBlocks + position_) * 16;
    Gf128Sum sum;
    if constexpr (Hash != Hashed::nothing) sum.add(hash_, arguments_.powers.group);
    Gf128 last{0, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const Columns in = load_aligned(input_ + offset + 16 * kWarpLanes * k);
      const Columns out =
          in ^ tables_.template encrypt<Rounds, 3>(counters.after_two_rounds(k), arguments_.keys);
      store_aligned(output_ + offset + 16 * kWarpLanes * k, out);
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
  WARPAES_HOST_DEVICE void any_group(Columns initial, uint32_t group) {
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < kThreadBlocks; k++) {
      const uint64_t index = static_cast<uint64_t>(group) * kGroupBlocks + position_ + kWarpLanes * k;
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

  WARPAES_HOST_DEVICE void finish_run(Columns initial, uint64_t blocks, uint64_t first, uint64_t end) {
    Gf128 sum{0, 0};
    if (first < end) {
      // Block i counts H^(blocks + 1 - i): the lengths' block comes last. Lane 31 is at the run's end.
      const uint64_t last = end * kGroupBlocks - (half_ == 0 ? kGroupBlocks / 2 : 0) - 1;
      sum = times_power(sum_of_lanes(thread_, hash_, arguments_.powers),
                        static_cast<int64_t>(blocks + 1 - last), arguments_.powers);
    }
    Gf128* sums = arguments_.sums + message_ * 2 * arguments_.runs;
    if (thread_.lane() == 0) thread_.publish(sums + 2 * run_ + half_, sum);
    if (thread_.arrive(arguments_.arrivals + message_) == 2 * arguments_.runs - 1)
      finish_message(initial, blocks, sums);
  }

  WARPAES_HOST_DEVICE void finish_message(Columns initial, uint64_t blocks, const Gf128* sums) {
    Gf128 sum{0, 0};
    for (uint64_t i = thread_.lane(); i < 2 * arguments_.runs; i += kWarpLanes)
      sum = sum ^ thread_.collect(sums + i);
    sum = exclusive_or_of_lanes(thread_, sum) ^ hash_of_aad(blocks);
    const Gf128 lengths = ghash_lengths(arguments_.aad_bytes, arguments_.bytes);
    sum = sum ^ gf128_multiply(lengths, arguments_.powers.positive[0]);

    Columns j0 = initial;
    j0.d = reverse_bytes(reverse_bytes(initial.d) - 1);
    const Columns tag = to_columns(sum) ^ encrypt_block(j0);
    if (thread_.lane() != 0) return;
    uint8_t* stored = arguments_.tags + message_ * arguments_.tag_stride;
    if constexpr (Hash == Hashed::output) {
      store_bytes(stored, tag, arguments_.tag_bytes);
    } else {
      const Columns difference =
          load_bytes(stored, arguments_.tag_bytes) ^ keep_bytes(tag, arguments_.tag_bytes);
      const bool equal = (difference.a | difference.b | difference.c | difference.d) == 0;
      arguments_.statuses[message_] = equal ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
    }
  }

  /// One warp for all of it: AAD is short.
  WARPAES_HOST_DEVICE Gf128 hash_of_aad(uint64_t blocks) {
    const uint8_t* aad = arguments_.aad + message_ * arguments_.aad_stride;
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
  const uint32_t half_;
  const uint64_t run_, message_;
  const uint32_t position_;
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
  const uint64_t warps = static_cast<uint64_t>(thread.block_count()) * (thread.count() / kWarpLanes);
  const uint64_t tasks = arguments.messages * arguments.runs * 2;
  uint64_t task =
      static_cast<uint64_t>(thread.block()) * (thread.count() / kWarpLanes) + thread.index() / kWarpLanes;
  for (; task < tasks; task += warps) {
    CounterRunner<Tables, Rounds, Hash, Thread, Arguments>(thread, tables, arguments, task)();
  }
}

}  // namespace warpaes
