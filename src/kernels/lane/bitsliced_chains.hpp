// Batches on bit planes in the modes whose blocks wait for each other: encryption in CBC and CFB, and OFB.
// Messages may have any lengths and lie anywhere.
//
//     a warp's messages  | 0 … 31 | 32 … 63 | … | 224 … 255 |   lane l: message l of each 32, eight at most
//     step i             block i of each of them
//
// Threads. A lane walks up to eight messages at the same time, as bit planes have room for eight blocks.
// Where there are few messages the host gives a warp fewer of them: a step takes equally long with empty
// planes, and more multiprocessors have work. What a block waits for stays in registers between two steps,
// and so do the messages' addresses and lengths, for which a thread block that has a multiprocessor to itself
// has registers enough. A warp's steps are as many as its longest message has blocks.
//
// Limits. How long a warp takes for a step, with fewer messages than some hundred thousand on a large GPU;
// with more, the logic unit. Lanes' blocks lie in different rows of memory. Timing class: strict.
#pragma once

#include "kernels/grid/bitsliced_batches.hpp"

namespace warpaes::core {

struct SlicedChainArguments : MessageBatch {
  SlicedKeys keys;         // fill_sliced_keys()
  uint32_t warp_messages;  // how many a warp walks at the same time: a multiple of 32, at most 256
  bool whole_blocks;       // other lengths are refused
};

/// One warp's walk along its messages.
template <int Rounds, CipherMode Mode, class Thread>
class SlicedChains {
 public:
  /// Takes the messages' IVs, and writes their statuses. @param first the warp's first message
  WARPAES_HOST_DEVICE SlicedChains(Thread& thread, const SlicedChainArguments& arguments, uint32_t first)
      : thread_(thread), keys_(arguments.keys) {
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint32_t index = first + thread.lane() + kWarpLanes * j;
      if (kWarpLanes * j >= arguments.warp_messages || index >= arguments.messages) continue;
      const BatchedMessage message(arguments, index);
      const int32_t status = status_of(arguments, message);
      if (arguments.statuses != nullptr) arguments.statuses[index] = status;
      if (status != WARPAES_OK || message.bytes == 0) continue;
      walked_[j] = {message.input, message.output, message.bytes};
      chain_.block[j] = load_block(arguments.nonce(index), 16, 0);
    }
  }

  WARPAES_HOST_DEVICE void operator()() {
    uint64_t longest = 0;
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      if (walked_[j].bytes > longest) longest = walked_[j].bytes;
    }
    for (; thread_.any(16 * step_ < longest); step_++) {
      crypt_keyed_group<Rounds, WARPAES_DIRECTION_ENCRYPT>(*this, keys_);
    }
  }

  /// The cipher's input, with the first round key added.
  WARPAES_HOST_DEVICE SlicedBlocks before() const {
    SlicedBlocks blocks;
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      const Columns input = kAddsBefore ? load(walked_[j]) : Columns{0, 0, 0, 0};
      blocks.block[j] = exclusive_or(chain_.block[j], input, keys_.first);
    }
    return blocks;
  }

  WARPAES_HOST_DEVICE void after(const SlicedBlocks& made) {
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      const Columns input = kAddsBefore ? Columns{0, 0, 0, 0} : load(walked_[j]);
      const Columns output = exclusive_or(made.block[j], input, keys_.last);
      chain_.block[j] = Mode == CipherMode::ofb ? made.block[j] ^ keys_.last : output;
      store(walked_[j], output);
    }
  }

 private:
  /// Is a block added to the chain ahead of the cipher, rather than behind it?
  static constexpr bool kAddsBefore = Mode == CipherMode::cbc_encrypt;

  /// One of the lane's messages; without bytes if there is nothing to do.
  struct Walked {
    const uint8_t* input;
    uint8_t* output;
    uint64_t bytes;
  };

  WARPAES_HOST_DEVICE Columns load(const Walked& message) const {
    if (16 * step_ >= message.bytes) return {0, 0, 0, 0};
    return load_block(message.input, message.bytes, static_cast<int64_t>(step_));
  }
  WARPAES_HOST_DEVICE void store(const Walked& message, Columns block) const {
    if (16 * step_ >= message.bytes) return;
    store_block(message.output, message.bytes, static_cast<int64_t>(step_), block);
  }

  Thread& thread_;
  const SlicedKeys& keys_;
  uint64_t step_ = 0;
  Walked walked_[kSlicedBlocks] = {};
  SlicedBlocks chain_{};  // what the next blocks wait for
};

namespace kernels::lane {

/// @tparam Mode encryption in CBC or CFB, or OFB
template <CipherMode Mode>
struct BitslicedChains : ForEveryKeySize {
  static constexpr const char* kName = "lane/bitsliced_chains";
  using Arguments = SlicedChainArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads), .blocks = 1};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t step = thread.block_count() * (thread.count() / kWarpLanes) * arguments.warp_messages;
    uint32_t first = (thread.warp() * thread.block_count() + thread.block()) * arguments.warp_messages;
    for (; first < arguments.messages; first += step) {
      SlicedChains<Rounds, Mode, Thread>(thread, arguments, first)();
    }
  }
};

}  // namespace kernels::lane

}  // namespace warpaes::core
