// Batches on bit planes in the modes whose blocks do not wait for each other: ECB, CTR, and decryption of
// CBC and CFB. Messages may have any lengths and lie anywhere.
//
//     messages      | m0             | m1             | m2 …           each has room for the longest one's
//     blocks runs          | warp 0     | warp 1     | warp 2     | …         wherever messages begin in a
//     run      | group 0 | group 1 | … | group n - 1 |            256 blocks each, the last group first
//
// Threads. All messages' rooms are counted as one sequence of blocks, and a warp takes a run of it in groups
// of 256. Lane l has block l of each 32. A group that lies within one message, in whole blocks at aligned
// addresses, has the message looked up once. In all other groups each block's message is looked up. Groups
// behind a message's end are passed over.
//
// Decryption of CBC and CFB needs the ciphertext before each block, which in place must not be overwritten
// first: within a run that is why the last group comes first, and in place the host has runs consist of
// whole messages.
//
// Limits. The logic unit: the gates of ECB. Timing class: strict.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/batched_message.hpp"
#include "kernels/warp/bitsliced_group.hpp"
#include "primitives/chaining.hpp"
#include "primitives/next_counter.hpp"

namespace warpaes::core {

struct SlicedBatchArguments : MessageBatch {
  SlicedKeys keys;  // fill_sliced_decryption_keys() for decryption in ECB and CBC, else fill_sliced_keys()
  uint32_t room;    // blocks of the longest message, at least 1 and at most 2^30
  uint32_t run_blocks;  // at most 2^30
  uint32_t runs;
  bool whole_blocks;  // other lengths are refused
};

/// The status of a message of a batch in a mode that does not authenticate.
/// @return WARPAES_OK, or why the message is left alone
template <class Arguments>
WARPAES_HOST_DEVICE int32_t status_of(const Arguments& arguments, const BatchedMessage& message) {
  if (arguments.whole_blocks && message.bytes % 16 != 0) return WARPAES_ERROR_LENGTH;
  return message.refused;
}

/// A warp's own part of shared memory: what the cipher leaves no registers for.
struct SlicedBatchScratch {
  const uint8_t* input;  // the group's first block, in a group within one message
  uint8_t* output;
  uint32_t message, index;  // the group's first block is block `index` of the message
  uint32_t within;          // does the group lie within the message, and can it be loaded in whole blocks?
};

/// One warp's work on one run.
template <int Rounds, CipherMode Mode, class Thread>
class SlicedBatchRun {
 public:
  static constexpr warpaes_direction kWay =
      inverts_cipher(Mode) ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT;

  WARPAES_HOST_DEVICE SlicedBatchRun(Thread& thread, SlicedBatchScratch& scratch,
                                     const SlicedBatchArguments& arguments, uint32_t run)
      : thread_(thread), scratch_(scratch), arguments_(arguments) {
    const uint64_t first = uint64_t{run} * arguments.run_blocks,
                   left = uint64_t{arguments.messages} * arguments.room - first;
    message_ = static_cast<uint32_t>(first / arguments.room);
    index_ = static_cast<uint32_t>(first % arguments.room);
    end_ = index_ + (left < arguments.run_blocks ? static_cast<uint32_t>(left) : arguments.run_blocks);
  }

  WARPAES_HOST_DEVICE void operator()() {
    uint32_t at = (end_ - index_ - 1) / kSlicedWarpBlocks * kSlicedWarpBlocks;
    for (;;) {
      const uint32_t without_work = begin_group(at);
      if (without_work == 0) crypt_keyed_group<Rounds, kWay>(*this, arguments_.keys);
      const uint32_t step = without_work == 0 ? kSlicedWarpBlocks : without_work;
      if (at < step) return;
      at -= step;
    }
  }

  /// The cipher's input, with the first round key added.
  WARPAES_HOST_DEVICE SlicedBlocks before() {
    SlicedBlocks blocks;
    if (scratch_.within != 0) {
      if constexpr (Mode == CipherMode::ctr) {
        counters_within(blocks);
      } else if constexpr (Mode == CipherMode::cfb_decrypt) {
        load_before(blocks);
      } else {
        load_within(blocks);
      }
    } else {
      WARPAES_UNROLL
      for (uint32_t j = 0; j < kSlicedBlocks; j++) blocks.block[j] = input_of(found(j));
    }
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) blocks.block[j] = blocks.block[j] ^ arguments_.keys.first;
    return blocks;
  }

  WARPAES_HOST_DEVICE void after(SlicedBlocks made) {
    thread_.sync_warp();  // otherwise the compiler would keep what is read here in registers
    const Columns key = arguments_.keys.last;
    const bool within = scratch_.within != 0;
    if (within) {
      SlicedBlocks others{};
      if constexpr (Mode == CipherMode::cbc_decrypt) {
        load_before(others);
      } else if constexpr (kAddsInput) {
        load_within(others);
      }
      WARPAES_UNROLL
      for (int j = 0; j < kSlicedBlocks; j++) {
        made.block[j] = exclusive_or(made.block[j], others.block[j], key);
      }
    } else {
      WARPAES_UNROLL
      for (uint32_t j = 0; j < kSlicedBlocks; j++) {
        made.block[j] = exclusive_or(made.block[j], added_to(found(j)), key);
      }
    }
    if constexpr (unchains(Mode))
      thread_.sync_warp();  // in place, other lanes have read what this overwrites
    if (within) {
      uint8_t* const to = scratch_.output + 16 * thread_.lane();
      WARPAES_UNROLL
      for (int j = 0; j < kSlicedBlocks; j++) store_aligned(to + SlicedPlace::offset(j), made.block[j]);
    } else {
      WARPAES_UNROLL
      for (uint32_t j = 0; j < kSlicedBlocks; j++) {
        const Found block = found(j);
        if (block.bytes != 0) store_block(block.output, block.bytes, 0, made.block[j]);
      }
    }
  }

 private:
  /// Is the input added to what the cipher makes, rather than given to it?
  static constexpr bool kAddsInput = Mode == CipherMode::ctr || Mode == CipherMode::cfb_decrypt;

  /// A block of a message, and where it lies.
  struct Found {
    const uint8_t* input;
    uint8_t* output;
    uint32_t bytes;  // 0: nothing to do
    uint32_t message, index;
  };

  /// Looks at the group `at` blocks behind the run's first.
  /// @return 0, or by how many blocks to go back, as there is nothing to do for this group nor for those in
  ///         between
  WARPAES_HOST_DEVICE uint32_t begin_group(uint32_t at) {
    at_ = at;
    const uint32_t first = index_ + at;
    const uint32_t message = message_ + first / arguments_.room, index = first % arguments_.room;
    bool within = false;
    if (index + kSlicedWarpBlocks <= arguments_.room && first + kSlicedWarpBlocks <= end_) {
      const BatchedMessage described(arguments_, message);
      const int32_t status = status_of(arguments_, described);
      if (index == 0 && thread_.lane() == 0) report(message, status);
      const uint64_t bytes = status == WARPAES_OK ? described.bytes : 0, from = uint64_t{index} * 16;
      if (from >= bytes) {
        // The group with the message's first block comes last, as it is where the status is written.
        const uint32_t blocks = bytes == 0 ? 1 : static_cast<uint32_t>((bytes + 15) / 16);
        return index == 0 ? kSlicedWarpBlocks
                          : ((index - blocks) / kSlicedWarpBlocks + 1) * kSlicedWarpBlocks;
      }
      within = from + 16 * kSlicedWarpBlocks <= bytes && is_aligned(described.input) &&
               is_aligned(described.output);
      thread_.sync_warp();  // all lanes have read the scratch for the last time
      if (thread_.lane() == 0) {
        scratch_ = {described.input + from, described.output + from, message, index, within};
      }
    } else {
      thread_.sync_warp();
      if (thread_.lane() == 0) scratch_ = {nullptr, nullptr, message, index, 0};
    }
    thread_.sync_warp();
    if (!within) report_statuses();
    return 0;
  }

  WARPAES_HOST_DEVICE void report(uint32_t message, int32_t status) const {
    if (arguments_.statuses != nullptr) arguments_.statuses[message] = status;
  }

  /// Writes the status of each message that begins in the group, where the group is not within one message.
  WARPAES_HOST_DEVICE void report_statuses() const {
    if (arguments_.statuses == nullptr) return;
    WARPAES_KEEP_ROLLED
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint32_t at = index_ + at_ + thread_.lane() + kWarpLanes * j;
      if (at >= end_ || at % arguments_.room != 0) continue;
      const uint32_t message = message_ + at / arguments_.room;
      report(message, status_of(arguments_, BatchedMessage(arguments_, message)));
    }
  }

  /// The lane's block j of a group that is not within one message.
  WARPAES_HOST_DEVICE Found found(uint32_t j) const {
    const uint32_t at = index_ + computed_again(at_) + thread_.lane() + kWarpLanes * j;
    Found block{nullptr, nullptr, 0, message_ + at / arguments_.room, at % arguments_.room};
    if (at >= end_) return block;
    const BatchedMessage message(arguments_, block.message);
    if (status_of(arguments_, message) != WARPAES_OK) return block;
    block.bytes = bytes_from(uint64_t{block.index} * 16, message.bytes);
    if (block.bytes == 0) return block;
    block.input = message.input + uint64_t{block.index} * 16;
    block.output = message.output + uint64_t{block.index} * 16;
    return block;
  }

  WARPAES_HOST_DEVICE static uint32_t bytes_from(uint64_t from, uint64_t bytes) {
    const uint64_t left = from < bytes ? bytes - from : 0;
    return left < 16 ? static_cast<uint32_t>(left) : 16;
  }

  /// The cipher's input for a block.
  WARPAES_HOST_DEVICE Columns input_of(const Found& block) const {
    if (block.bytes == 0) return {0, 0, 0, 0};
    if constexpr (Mode == CipherMode::ctr) return counter_after(iv(block.message), block.index);
    if constexpr (Mode == CipherMode::cfb_decrypt) return before_of(block);
    return load_block(block.input, block.bytes, 0);
  }

  /// What is added to the cipher's output.
  WARPAES_HOST_DEVICE Columns added_to(const Found& block) const {
    if (block.bytes == 0) return {0, 0, 0, 0};
    if constexpr (Mode == CipherMode::cbc_decrypt) return before_of(block);
    if constexpr (kAddsInput) return load_block(block.input, block.bytes, 0);
    return {0, 0, 0, 0};
  }

  /// The ciphertext before a block.
  WARPAES_HOST_DEVICE Columns before_of(const Found& block) const {
    return block.index == 0 ? iv(block.message) : load_block(block.input - 16, 16, 0);
  }

  /// The message's IV or first counter block.
  WARPAES_HOST_DEVICE Columns iv(uint32_t message) const {
    return load_block(arguments_.nonce(message), 16, 0);
  }

  WARPAES_HOST_DEVICE void load_within(SlicedBlocks& blocks) const {
    const uint8_t* const from = scratch_.input + 16 * thread_.lane();
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) blocks.block[j] = load_aligned(from + SlicedPlace::offset(j));
  }

  /// The ciphertext before each of the lane's blocks.
  WARPAES_HOST_DEVICE void load_before(SlicedBlocks& blocks) const {
    const uint8_t* const from = scratch_.input + 16 * thread_.lane();
    const bool begins = scratch_.index == 0 && thread_.lane() == 0;
    blocks.block[0] = begins ? iv(scratch_.message) : load_aligned(from - 16);
    WARPAES_UNROLL
    for (int j = 1; j < kSlicedBlocks; j++) {
      blocks.block[j] = load_aligned(from + SlicedPlace::offset(j) - 16);
    }
  }

  WARPAES_HOST_DEVICE void counters_within(SlicedBlocks& blocks) const {
    const Columns counter = counter_after(iv(scratch_.message), uint64_t{scratch_.index} + thread_.lane());
    const uint32_t low = reverse_bytes(counter.d);
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      blocks.block[j] = {counter.a, counter.b, counter.c, reverse_bytes(low + kWarpLanes * j)};
    }
    if (low + kSlicedWarpBlocks >= low) return;
    WARPAES_UNROLL
    for (uint32_t j = 1; j < kSlicedBlocks; j++) blocks.block[j] = counter_after(counter, kWarpLanes * j);
  }

  Thread& thread_;
  SlicedBatchScratch& scratch_;
  const SlicedBatchArguments& arguments_;
  uint32_t message_, index_;  // the run's first block is block `index_` of this message
  uint32_t end_;              // the run's end, counted as index_ is
  uint32_t at_ = 0;           // the group's first block, counted from the run's first
};

namespace kernels::grid {

/// @tparam Mode ECB in a direction, CTR, or the decryption of CBC or CFB
template <CipherMode Mode>
struct BitslicedBatches : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_batches";
  using Arguments = SlicedBatchArguments;

  /// To find messages takes as many registers as to find the data units of XTS.
  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads),
            .blocks = on.bitsliced_xts_blocks,
            .shared_bytes_a_warp = sizeof(SlicedBatchScratch)};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    SlicedBatchScratch& scratch = reinterpret_cast<SlicedBatchScratch*>(thread.shared())[thread.warp()];
    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
    uint32_t run = thread.warp() * thread.block_count() + thread.block();
    for (; run < arguments.runs; run += warps) {
      SlicedBatchRun<Rounds, Mode, Thread>(thread, scratch, arguments, run)();
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
