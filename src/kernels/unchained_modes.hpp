// Decryption of CBC and CFB, which does not chain: all ciphertext is there at the beginning.
//
// Threads. A warp takes a run of consecutive blocks, 32 at a time. Each block needs the ciphertext before
// it, which the neighbouring lane has loaded: it comes by a shuffle. Lane 0's comes from the step before, and
// at the run's beginning from memory. In place that may have been overwritten by the warp that has the run
// before: so then a kernel saves the blocks before all runs to the workspace first.
//
// Limits. Shared memory, as ECB, and through the same data path four shuffles a block.
// Timing class: conflict-free.
#pragma once

#include "kernels/block_access.hpp"

namespace warpaes {

struct UnchainArguments {
  RoundKeys keys;  // CBC: KeySchedule::decryption(), CFB: encryption()
  Columns iv;
  const uint8_t* input;
  uint8_t* output;
  const uint8_t* before;  // the block before run r, for r > 0, is at before + r * before_stride
  uint64_t before_stride;
  uint64_t bytes;
  uint64_t run_blocks;  // a multiple of 32
  uint32_t runs;
};

enum class Unchaining { cbc, cfb };

/// One warp's work on one run.
template <int Tables, int Rounds, Unchaining Mode, class Thread>
class UnchainRunner {
 public:
  using Lane = LanePrivateTables<Tables>;

  WARPAES_HOST_DEVICE UnchainRunner(Thread& thread, const Lane& tables, const UnchainArguments& arguments,
                                    uint32_t run)
      : thread_(thread), tables_(tables), arguments_(arguments), first_(16 * run * arguments.run_blocks) {
    last_ = run == 0 ? arguments.iv : load_bytes(arguments.before + run * arguments.before_stride, 16);
  }

  WARPAES_HOST_DEVICE void operator()() {
    const uint64_t run_bytes = 16 * arguments_.run_blocks, left = arguments_.bytes - first_;
    const uint64_t count = left < run_bytes ? left : run_bytes;
    const bool aligned = is_aligned(arguments_.input) && is_aligned(arguments_.output);
    const uint64_t whole_steps = aligned ? count / kStepBytes * kStepBytes : 0;
    for (uint64_t at = first_; at < first_ + count; at += kStepBytes) {
      const uint32_t offset = 16 * thread_.lane();
      if (at < first_ + whole_steps) {
        const Columns in = load_aligned(arguments_.input + at + offset);
        store_aligned(arguments_.output + at + offset, decrypt(in));
      } else {
        const uint64_t rest = first_ + count - at;
        const uint32_t bytes = rest < offset        ? 0
                               : rest < offset + 16 ? static_cast<uint32_t>(rest - offset)
                                                    : 16;
        const Columns in = load_bytes(arguments_.input + at + offset, bytes);
        store_bytes(arguments_.output + at + offset, decrypt(in), bytes);
      }
    }
  }

 private:
  static constexpr uint32_t kStepBytes = 16 * kWarpLanes;

  /// All lanes of the warp call.
  WARPAES_HOST_DEVICE Columns decrypt(Columns in) {
    const uint32_t neighbour = (thread_.lane() + kWarpLanes - 1) % kWarpLanes;
    const Columns shifted = {thread_.shuffle(in.a, neighbour), thread_.shuffle(in.b, neighbour),
                             thread_.shuffle(in.c, neighbour), thread_.shuffle(in.d, neighbour)};
    const Columns before = thread_.lane() == 0 ? last_ : shifted;
    last_ = shifted;  // lane 0's is the step's last block
    const RoundKeys& keys = arguments_.keys;
    if constexpr (Mode == Unchaining::cbc) {
      return tables_.template decrypt<Rounds>(in, keys) ^ before;
    } else {
      return tables_.template encrypt<Rounds, 1>(Lane::add_round_key(before, keys, 0), keys) ^ in;
    }
  }

  Thread& thread_;
  const Lane& tables_;
  const UnchainArguments& arguments_;
  const uint64_t first_;
  Columns last_;  // lane 0: the ciphertext before the step's first block
};

template <int Tables, int Rounds, Unchaining Mode, class Thread>
WARPAES_HOST_DEVICE void unchained_modes(Thread& thread, const UnchainArguments& arguments,
                                         const uint32_t* t0) {
  using Lane = LanePrivateTables<Tables>;
  Lane::fill(thread.shared(), t0, thread.index(), thread.count());
  thread.barrier();
  const Lane tables(thread.shared(), thread.lane());
  const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
  for (uint32_t run = thread.warp() * thread.block_count() + thread.block(); run < arguments.runs;
       run += warps) {
    UnchainRunner<Tables, Rounds, Mode, Thread>(thread, tables, arguments, run)();
  }
}

/// The blocks before all runs, for decryption in place.
struct SaveArguments {
  const uint8_t* input;
  uint8_t* saved;  // 16 bytes a run; the first run's are left alone
  uint64_t run_bytes;
  uint32_t runs;
};

template <class Thread>
WARPAES_HOST_DEVICE void save_blocks_before_runs(Thread& thread, const SaveArguments& arguments) {
  const uint32_t threads = thread.block_count() * thread.count();
  for (uint32_t run = 1 + thread.block() * thread.count() + thread.index(); run < arguments.runs;
       run += threads) {
    store_aligned(arguments.saved + 16 * static_cast<uint64_t>(run),
                  load_bytes(arguments.input + run * arguments.run_bytes - 16, 16));
  }
}

}  // namespace warpaes
