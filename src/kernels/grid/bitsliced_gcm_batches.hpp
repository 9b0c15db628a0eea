// GCM of equally long messages on bit planes.
//
//     message    | run 0: warp 0 | run 1: warp 1 | …     most often a message has one run
//     run        | group 0 | group 1 | …                 256 blocks each, from the message's first one on
//     group      | 0 … 31 | 32 … 63 | … | 224 … 255 |    lane l: block l of each 32 blocks, eight in all
//
// One message (grid/bitsliced_ctr_gcm.hpp) has groups whose counters differ in their last byte only, so that
// most groups need not compute the first two rounds. That divides a message of 16 KiB into five groups, two
// of them incomplete, in place of the four that it fills here. J0 would be a group more for each message: so
// a warp encrypts those of its next 256 messages at once.
//
// Limits. The logic unit: the gates of ECB, and GHASH beside them. Timing class: strict.
#pragma once

#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/warp/bitsliced_group.hpp"
#include "kernels/warp/warp_scratch.hpp"

namespace warpaes::core {

/// A warp's own part of shared memory.
struct SlicedMessagesScratch {
  Columns masks[kSlicedBlocks][kWarpLanes];  // E_K(J0) of the warp's next messages
  /// The key stream of a group that is not whole, lane by lane. The stride is no multiple of 128 bytes, so
  /// that 8 lanes write to different banks.
  AlignedBlock stream[kWarpLanes][kSlicedBlocks + 1];
};

/// One warp's work on all of its runs.
template <int Rounds, Hashed Hash, class Thread>
class SlicedMessagesRunner {
 public:
  /// @param first the warp's first task; the others are `step` apart. A task is a run of a message.
  WARPAES_HOST_DEVICE SlicedMessagesRunner(Thread& thread, SlicedMessagesScratch& scratch,
                                           const SlicedGcmArguments& arguments, uint32_t first, uint32_t step)
      : thread_(thread), scratch_(scratch), arguments_(arguments), task_(first), step_(step) {}

  WARPAES_HOST_DEVICE void operator()() {
    const uint32_t tasks = arguments_.messages * arguments_.sliced_runs;
    for (uint32_t taken = 0; task_ < tasks; task_ += step_, taken++) {
      if (taken % kSlicedWarpBlocks == 0) mask_tags();
      hash_ = {0, 0};
      const uint32_t first = run() * arguments_.sliced_groups_per_run,
                     left = arguments_.sliced_groups - first,
                     count =
                         left < arguments_.sliced_groups_per_run ? left : arguments_.sliced_groups_per_run;
      for (group_ = first; group_ < first + count; group_++) {
        crypt_keyed_group<Rounds, WARPAES_DIRECTION_ENCRYPT>(*this, arguments_.sliced_keys);
      }
      add_part<Hash>(thread_, arguments_, message(), run(), share_of_tag(taken % kSlicedWarpBlocks));
    }
    clear_scratch(thread_, scratch_);
  }

  /// The group's counters, with the first round key added.
  WARPAES_HOST_DEVICE SlicedBlocks before() const {
    const Columns first = first_counter<Hash>(arguments_, message()) ^ arguments_.sliced_keys.first;
    SlicedBlocks blocks;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint32_t counter = kFirstCounter + group_ * kGroupBlocks + thread_.lane() + kWarpLanes * j;
      blocks.block[j] = {first.a, first.b, first.c, reverse_bytes(counter) ^ arguments_.sliced_keys.first.d};
    }
    return blocks;
  }

  /// @param made the group's key stream without the last round key
  WARPAES_HOST_DEVICE void after(const SlicedBlocks& made) {
    const uint64_t end = (uint64_t{group_} + 1) * (16 * kGroupBlocks);
    if (end <= arguments_.bytes && is_aligned(input()) && is_aligned(output())) {
      whole_group(made);
    } else {
      any_group(made);
    }
  }

 private:
  static constexpr uint32_t kFirstCounter = 2;  // inc32(J0): nonces have 96 bits

  WARPAES_HOST_DEVICE uint32_t message() const { return computed_again(task_) / arguments_.sliced_runs; }
  WARPAES_HOST_DEVICE uint32_t run() const { return computed_again(task_) % arguments_.sliced_runs; }
  WARPAES_HOST_DEVICE const uint8_t* input() const {
    return arguments_.input + uint64_t{message()} * arguments_.input_stride;
  }
  WARPAES_HOST_DEVICE uint8_t* output() const {
    return arguments_.output + uint64_t{message()} * arguments_.output_stride;
  }

  /// Encrypts J0 of the messages whose first runs are among the warp's next 256 tasks.
  WARPAES_HOST_DEVICE void mask_tags() {
    const Columns key = arguments_.sliced_keys.first;
    SlicedBlocks blocks;
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint64_t task = task_ + uint64_t{step_} * (thread_.lane() + kWarpLanes * j),
                     message = task / arguments_.sliced_runs;
      Columns j0{0, 0, 0, 0};
      if (message < arguments_.messages) {
        j0 = first_counter<Hash>(arguments_, message);
        j0.d = reverse_bytes(kFirstCounter - 1);
      }
      blocks.block[j] = j0 ^ key;
    }
    SlicedState state = slice(blocks);
    sliced_cipher_without_ends<Rounds, WARPAES_DIRECTION_ENCRYPT>(state, arguments_.sliced_keys);
    blocks = unslice(state);
    thread_.sync_warp();  // all lanes have read the masks before
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      scratch_.masks[j][thread_.lane()] = blocks.block[j] ^ arguments_.sliced_keys.last;
    }
    thread_.sync_warp();
  }

  WARPAES_HOST_DEVICE void whole_group(const SlicedBlocks& made) {
    const uint64_t at = uint64_t{group_} * (16 * kGroupBlocks) + 16 * thread_.lane();
    const uint8_t* const in = input() + at;
    uint8_t* const out = output() + at;
    Gf128Sum sum;
    sum.add(hash_, arguments_.powers.group);
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const Columns before = load_aligned(in + SlicedPlace::offset(static_cast<int>(j)));
      const Columns after = exclusive_or(before, made.block[j], arguments_.sliced_keys.last);
      store_aligned(out + SlicedPlace::offset(static_cast<int>(j)), after);
      const Gf128 ciphertext = to_gf128(Hash == Hashed::output ? after : before);
      if (j < kSlicedBlocks - 1) {
        sum.add(ciphertext, arguments_.powers.of_thread(kSlicedBlocks - 1 - j));
      } else {
        hash_ = sum.reduced() ^ ciphertext;
      }
    }
  }

  /// A group that the message does not fill, or whose memory is not aligned.
  WARPAES_HOST_DEVICE void any_group(const SlicedBlocks& made) {
    AlignedBlock* const stream = scratch_.stream[thread_.lane()];
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const Columns block = made.block[j] ^ arguments_.sliced_keys.last;
      stream[j] = {block.a, block.b, block.c, block.d};
    }
    WARPAES_KEEP_ROLLED
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint64_t index = uint64_t{group_} * kGroupBlocks + thread_.lane() + kWarpLanes * j;
      const uint32_t bytes = bytes_of_block(index, arguments_.bytes);
      // The pointers of empty messages may be null.
      const uint64_t at = bytes == 0 ? 0 : 16 * index;
      const Columns before = load_bytes(input() + at, bytes),
                    after = before ^ Columns{stream[j].a, stream[j].b, stream[j].c, stream[j].d};
      store_bytes(output() + at, after, bytes);
      hash_ = multiply_reduced(hash_, arguments_.powers.warp()) ^
              to_gf128(keep_bytes(Hash == Hashed::output ? after : before, bytes));
    }
  }

  /// @param taken the task's number among those whose masks are there
  /// @return the run's share of the tag, in all lanes
  WARPAES_HOST_DEVICE Gf128 share_of_tag(uint32_t taken) {
    // Block i is multiplied by H^(blocks + 1 - i), as the block of lengths comes last. Lane 31 has the run's
    // last block.
    const int64_t last = static_cast<int64_t>(group_) * kGroupBlocks - 1,
                  exponent = static_cast<int64_t>(block_count(arguments_.bytes)) + 1 - last;
    Gf128 sum = times_power(sum_of_lanes(thread_, hash_, arguments_.powers), exponent, arguments_.powers);
    if (run() == 0) {
      sum = sum ^ hash_of_aad_and_lengths(thread_, arguments_, message()) ^
            to_gf128(scratch_.masks[taken / kWarpLanes][taken % kWarpLanes]);
    }
    return sum;
  }

  Thread& thread_;
  SlicedMessagesScratch& scratch_;
  const SlicedGcmArguments& arguments_;
  uint32_t task_;
  const uint32_t step_;
  uint32_t group_ = 0;
  Gf128 hash_{0, 0};
};

namespace kernels::grid {

/// Whether it encrypts or decrypts follows from what is hashed.
template <Hashed Hash>
struct BitslicedGcmBatches : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_gcm_batches";
  using Arguments = SlicedGcmArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    const auto threads = static_cast<uint32_t>(on.bitsliced_counter_threads);
    return {.threads = threads,
            .shared_bytes = threads / kWarpLanes * static_cast<uint32_t>(sizeof(SlicedMessagesScratch))};
  }

  WARPAES_HOST_DEVICE static constexpr CounterWarps warps(const LaunchPolicy& on, int) {
    return {0, on.bitsliced_counter_threads / static_cast<int>(kWarpLanes), 1000, 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t warp = thread.warp();
    auto& scratch = reinterpret_cast<SlicedMessagesScratch*>(thread.shared())[warp];
    SlicedMessagesRunner<Rounds, Hash, Thread> runner(thread, scratch, arguments,
                                                      warp * thread.block_count() + thread.block(),
                                                      thread.count() / kWarpLanes * thread.block_count());
    runner();
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
