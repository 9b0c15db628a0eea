// What the kernels for CTR and GCM are launched with, and how the sums of a message's parts become its tag.
//
// A message is cut into groups of 256 blocks whose counters differ in their last byte only. So its first and
// its last group may be incomplete. Consecutive groups form a run. The runs of the groups in [sliced_first,
// sliced_first + sliced_groups) go to warps that compute on bit planes (grid/bitsliced_ctr_gcm.hpp), one warp
// for each run; all other runs go to warps that look up tables (grid/ctr_gcm.hpp), a few warps for each run.
// Either kind may have all groups.
#pragma once

#include "kernels/warp/block_access.hpp"
#include "kernels/warp/ghash.hpp"
#include "kernels/warp/message_end.hpp"

namespace warpaes::core {

struct CounterArguments {
  RoundKeys keys;
  Columns initial;  // the first block's counter; in CTR its last 32 bits must not wrap within the message
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;     // of each message, at most 2^36, as groups are counted in 32 bits
  uint32_t messages;  // so many that the parts of all messages can be counted in 32 bits
  uint64_t input_stride, output_stride;

  // How many groups of each message are left to tables, and how many of them make a run. The last run lies
  // behind the groups for bit planes, all others in front of them.
  uint32_t table_groups, table_groups_per_run, table_runs;
  uint32_t table_parts;  // table_runs times the number of warps that share a run
  uint32_t sliced_first, sliced_groups, sliced_groups_per_run, sliced_runs;

  WARPAES_HOST_DEVICE uint32_t parts() const { return table_parts + sliced_runs; }
};

/// Consecutive groups of a message.
struct Groups {
  uint32_t begin, end;
};

/// The groups of a run for warps that look up tables.
template <class Arguments>
WARPAES_HOST_DEVICE Groups groups_of_table_run(const Arguments& arguments, uint32_t run) {
  const uint32_t first = run * arguments.table_groups_per_run, left = arguments.table_groups - first,
                 count = left < arguments.table_groups_per_run ? left : arguments.table_groups_per_run,
                 begin = first + (run == arguments.table_runs - 1 ? arguments.sliced_groups : 0);
  return {begin, begin + count};
}

/// The groups of a run for warps that compute on bit planes.
template <class Arguments>
WARPAES_HOST_DEVICE Groups groups_of_sliced_run(const Arguments& arguments, uint32_t run) {
  const uint32_t first = run * arguments.sliced_groups_per_run, left = arguments.sliced_groups - first,
                 count = left < arguments.sliced_groups_per_run ? left : arguments.sliced_groups_per_run,
                 begin = arguments.sliced_first + first;
  return {begin, begin + count};
}

struct GcmArguments : CounterArguments {
  const uint8_t* nonces;  // 12 bytes for each message; if null, `initial` is inc32(J0) of the only message
  uint64_t nonce_stride;
  const uint8_t* aad;
  uint64_t aad_bytes, aad_stride;
  Gf128* aad_sums;  // one for each message, made by grid/long_aad.hpp; null: the kernel hashes `aad` itself
  uint8_t* tags;
  uint64_t tag_stride;
  uint32_t tag_bytes;
  int32_t* statuses;     // may be null when encrypting
  uint32_t* arrivals;    // of several messages: one for each, zero at the start
  Gf128* sums;           // of several messages: parts() for each
  SharedMessage shared;  // of a single message
  GhashPowers powers;

  /// A single message has at most one part for each warp. Its thread blocks publish one sum each, which the
  /// last of them adds up: that takes less time than fences and a counter of arrivals, which something would
  /// have to clear before.
  WARPAES_HOST_DEVICE bool blocks_publish() const { return messages == 1; }
};

/// The counter of block 0: inc32(J0), with J0 = nonce || 0^31 1 for a nonce of 96 bits (7.1 step 2).
template <Hashed Hash, class Arguments>
WARPAES_HOST_DEVICE Columns first_counter(const Arguments& arguments, uint64_t message) {
  if constexpr (Hash != Hashed::nothing) {
    if (arguments.nonces != nullptr) {
      Columns counter = load_bytes(arguments.nonces + message * arguments.nonce_stride, 12);
      counter.d = reverse_bytes(2);
      return counter;
    }
  }
  return arguments.initial;
}

/// The last 32 bits of first_counter(). Nothing is loaded for them.
template <Hashed Hash, class Arguments>
WARPAES_HOST_DEVICE uint32_t first_counter_number(const Arguments& arguments) {
  if constexpr (Hash != Hashed::nothing) {
    if (arguments.nonces != nullptr) return 2;
  }
  return reverse_bytes(arguments.initial.d);
}

WARPAES_HOST_DEVICE uint64_t block_count(uint64_t bytes) { return (bytes + 15) / 16; }

/// How many bytes block `index` has of a message of `bytes`; 0 behind its end.
WARPAES_HOST_DEVICE uint32_t bytes_of_block(uint64_t index, uint64_t bytes) {
  const uint64_t left = 16 * index < bytes ? bytes - 16 * index : 0;
  return left < 16 ? static_cast<uint32_t>(left) : 16;
}

/// Adds to a message's hash the sum of its long additional data, if there is one, and clears that: H can be
/// computed from it. One thread of all calls.
template <class Thread>
WARPAES_HOST_DEVICE Gf128 with_long_aad(Thread& thread, const GcmArguments& arguments, uint64_t message,
                                        Gf128 hash) {
  if (arguments.aad_sums == nullptr) return hash;
  hash = hash ^ thread.collect(arguments.aad_sums + message);
  thread.publish(arguments.aad_sums + message, {0, 0});
  return hash;
}

/// Stores or compares the tag. @param hash GHASH of the message plus E_K(J0)
template <Hashed Hash>
WARPAES_HOST_DEVICE void conclude(const GcmArguments& arguments, uint64_t message, Gf128 hash) {
  constexpr Ciphertext kSide = Hash == Hashed::input ? Ciphertext::input : Ciphertext::output;
  uint8_t* const stored = arguments.tags + message * arguments.tag_stride;
  finish_message_at<kSide>(arguments, static_cast<uint32_t>(message), stored, to_columns(hash), WARPAES_OK);
}

/// A warp hands in the sum of its part of one of several messages; all its lanes know the sum. The warp that
/// comes last adds up the sums of the message.
template <Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void add_part(Thread& thread, const GcmArguments& arguments, uint64_t message,
                                  uint32_t part, Gf128 sum) {
  const uint32_t parts = arguments.parts();
  if (parts == 1) {
    if (thread.lane() == 0) {
      conclude<Hash>(arguments, message, with_long_aad(thread, arguments, message, sum));
    }
    return;
  }
  const PartSums<1> sums{arguments.arrivals + message, arguments.sums + message * parts, parts};
  Gf128 total[1] = {sum};
  if (!sums.hand_in(thread, part, total)) return;
  if (thread.lane() == 0) {
    conclude<Hash>(arguments, message, with_long_aad(thread, arguments, message, total[0]));
  }
}

/// To be called at the start of a kernel that calls end_only_message().
template <Hashed Hash, class Thread, class Arguments>
WARPAES_HOST_DEVICE void begin_only_message(Thread& thread, const Arguments& arguments) {
  if constexpr (Hash == Hashed::input) {
    if (arguments.blocks_publish()) begin_shared_message(thread, arguments.shared);
  }
}

/// A thread block hands in what its warps have of the only message, and the last one ends the message. All
/// threads call, when their warp is done.
/// @param sum of this warp's part, which all its lanes know; zero if it has none
template <Hashed Hash, class Thread>
WARPAES_HOST_DEVICE void end_only_message(Thread& thread, const GcmArguments& arguments, Gf128 sum) {
  thread.barrier();  // no warp needs the shared memory any more
  auto& scratch = *reinterpret_cast<MessageEndScratch*>(thread.shared());
  if (thread.lane() != 0) sum = {0, 0};
  // A part of a message has no statuses: its tag is written in decryption as well.
  const bool compares = Hash == Hashed::input && arguments.statuses != nullptr;
  Gf128 tag;
  if (!sum_of_blocks(thread, sum, arguments.shared, compares, scratch, tag)) return;
  if (thread.index() == 0) tag = with_long_aad(thread, arguments, 0, tag);
  const BatchedMessage message(arguments.input, arguments.output, arguments.bytes, arguments.aad,
                               arguments.aad_bytes);
  const auto await = [&] { await_stores(thread, arguments.shared); };
  if (compares) {
    end_message<Ciphertext::input>(thread, arguments, message, 0, arguments.tags, tag, &scratch.status,
                                   await);
  } else {
    end_message<Ciphertext::output>(thread, arguments, message, 0, arguments.tags, tag, &scratch.status,
                                    await);
  }
}

/// What the additional data and the lengths contribute to GHASH; of long additional data, with_long_aad()
/// adds it. One warp does all of it, as the rest is short.
/// @tparam Arguments GcmArguments, or what has the same members
template <class Thread, class Arguments>
WARPAES_HOST_DEVICE Gf128 hash_of_aad_and_lengths(Thread& thread, const Arguments& arguments,
                                                  uint64_t message) {
  const GhashPowers& powers = arguments.powers;
  const Gf128 lengths = gf128_multiply(ghash_lengths(arguments.aad_bytes, arguments.bytes), powers.h());
  const uint64_t aad_blocks = block_count(arguments.aad_bytes),
                 turns = (aad_blocks + kWarpLanes - 1) / kWarpLanes;
  if (turns == 0 || arguments.aad_sums != nullptr) return lengths;
  const uint8_t* aad = arguments.aad + message * arguments.aad_stride;
  Gf128 hash{0, 0};
  for (uint64_t turn = 0; turn < turns; turn++) {
    const uint64_t index = turn * kWarpLanes + thread.lane();
    const Columns block = load_bytes(aad + 16 * index, bytes_of_block(index, arguments.aad_bytes));
    hash = multiply_reduced(hash, powers.warp()) ^ to_gf128(block);
  }
  // Block i of the additional data is multiplied by H^(aad_blocks + blocks + 1 - i).
  const int64_t last = static_cast<int64_t>(turns * kWarpLanes) - 1,
                exponent = static_cast<int64_t>(aad_blocks + block_count(arguments.bytes)) + 1 - last;
  return times_power(sum_of_lanes(thread, hash, powers), exponent, powers) ^ lengths;
}

}  // namespace warpaes::core
