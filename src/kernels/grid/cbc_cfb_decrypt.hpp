// Decryption of CBC and CFB. Unlike encryption it is parallel: the ciphertext before each block is there from
// the beginning.
//
//     group of CBC    | 0 1 | 2 3 | 4 5 | … | 62 63 |      lane l: blocks 2l and 2l + 1
//     lane              0     1     2         31          block 2l needs block 2l - 1, which lane l - 1 has
//
// Threads. A warp takes a run of consecutive blocks, a group of 64 (CBC) or 128 (CFB) at a time, of which a
// lane holds 2 or 4 that follow each other. The lane has the ciphertext before all of these but the first,
// and gets that one from its neighbour by a shuffle. Lane 0 gets it from the group before or, at the run's
// beginning, from memory. When a message is decrypted in place, the warp that has the run before may have
// overwritten that memory; so a kernel then saves the block before every run in the workspace first.
//
// Memory. The data path serves eight lanes at a time, and needs their accesses of 16 bytes to be in 8
// different columns of a 128-byte line, though the lines may differ. The first blocks of eight lanes lie in
// half of the columns or fewer. So neighbouring lanes begin with different ones of their blocks.
//
// Where the message begins at no multiple of 16, a lane has one block of a row of 32 (warp/shifted_rows.hpp).
//
// Limits. Shared memory, as in ECB, and one or two shuffles a block through the same data path.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/shifted_rows.hpp"

namespace warpaes::core {

struct UnchainRuns {
  Columns iv;
  const uint8_t* input;
  uint8_t* output;
  const uint8_t* before;  // the block before run r, for r > 0, is at before + r * before_stride
  uint64_t before_stride;
  uint64_t bytes;
  uint64_t run_blocks;  // a multiple of a group, or of 32 where there are few blocks
  uint32_t runs;

  WARPAES_HOST_DEVICE uint64_t blocks() const { return (bytes + 15) / 16; }
  WARPAES_HOST_DEVICE uint32_t last_bytes() const { return static_cast<uint32_t>((bytes - 1) % 16) + 1; }
  WARPAES_HOST_DEVICE Columns block_before(uint32_t run) const {
    return run == 0 ? iv : load_bytes(before + run * before_stride, 16);
  }
};

struct UnchainArguments : UnchainRuns {
  RoundKeys keys;  // KeySchedule::decryption() for CBC, encryption() for CFB
};

enum class Unchaining { cbc, cfb };

/// How many blocks of a group a lane holds: as many as registers allow. With 4, CBC on an H200 takes 78
/// registers and is slower than with 2; with 8 both modes are slow.
WARPAES_HOST_DEVICE constexpr uint32_t held_blocks(Unchaining mode) {
  return mode == Unchaining::cbc ? 2 : 4;
}

/// One warp's work on one run.
template <int Tables, int Rounds, Unchaining Mode, class Thread>
class UnchainRunner {
 public:
  using Lane = LanePrivateTables<Tables>;

  WARPAES_HOST_DEVICE UnchainRunner(Thread& thread, const Lane& tables, const UnchainArguments& arguments,
                                    uint32_t run)
      : thread_(thread),
        tables_(tables),
        arguments_(arguments),
        first_(16 * run * arguments.run_blocks),
        last_(arguments.block_before(run)) {}

  template <uint32_t Held>
  WARPAES_HOST_DEVICE void decrypt() {
    const uint64_t run_bytes = 16 * arguments_.run_blocks, left = arguments_.bytes - first_;
    const uint64_t end = first_ + (left < run_bytes ? left : run_bytes);
    uint64_t at = first_;
    if (is_aligned(arguments_.input) && is_aligned(arguments_.output)) {
      for (; at + Held * kStepBytes <= end; at += Held * kStepBytes) whole_group<Held>(at);
      for (; at + kStepBytes <= end; at += kStepBytes) whole_group<1>(at);
    }
    if (at < end) {
      shifted_rows(thread_, arguments_.input + at, arguments_.output + at, end - at,
                   [this](Columns in) { return crypt(in, block_before(in)); });
    }
  }

 private:
  static constexpr uint32_t kStepBytes = 16 * kWarpLanes;

  template <uint32_t Held>
  WARPAES_HOST_DEVICE void whole_group(uint64_t at) {
    const uint32_t turn = thread_.lane() * Held / 8 % Held;
    const auto offset = [&](uint32_t j) { return 16 * (thread_.lane() * Held + (j + turn) % Held); };
    Columns in[Held];
    WARPAES_UNROLL
    for (uint32_t j = 0; j < Held; j++) in[j] = load_aligned(arguments_.input + at + offset(j));
    Columns last = in[0];
    WARPAES_UNROLL
    for (uint32_t j = 1; j < Held; j++) {
      if ((j + turn) % Held == Held - 1) last = in[j];
    }
    const Columns before = block_before(last);
    WARPAES_UNROLL
    for (uint32_t j = 0; j < Held; j++) {
      const Columns previous = (j + turn) % Held == 0 ? before : in[(j + Held - 1) % Held];
      store_aligned(arguments_.output + at + offset(j), crypt(in[j], previous));
    }
  }

  /// The ciphertext before this lane's blocks. All lanes of the warp call.
  /// @param last the last of this lane's blocks
  WARPAES_HOST_DEVICE Columns block_before(Columns last) {
    const uint32_t neighbour = (thread_.lane() + kWarpLanes - 1) % kWarpLanes;
    const Columns shifted = {thread_.shuffle(last.a, neighbour), thread_.shuffle(last.b, neighbour),
                             thread_.shuffle(last.c, neighbour), thread_.shuffle(last.d, neighbour)};
    const Columns before = thread_.lane() == 0 ? last_ : shifted;
    last_ = shifted;
    return before;
  }

  WARPAES_HOST_DEVICE Columns crypt(Columns in, Columns before) const {
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
  Columns last_;  // in lane 0, the ciphertext before the next group
};

/// Where the blocks before all runs are, and where they are saved for decryption in place.
struct SaveArguments {
  const uint8_t* input;
  uint8_t* saved;  // 16 bytes for each run; the entry of the first run is not written
  uint64_t run_bytes;
  uint32_t runs;
};

namespace kernels::grid {

template <Unchaining Mode>
struct CbcCfbDecrypt : ForEveryKeySize {
  static constexpr const char* kName = "grid/cbc_cfb_decrypt";
  using Arguments = UnchainArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return with_tables(on.tables, on.ecb_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    Lane::fill(thread.shared(), Mode == Unchaining::cbc ? thread.inverse_t0() : thread.t0(), thread.index(),
               thread.count());
    end_fill(thread);
    const Lane tables(thread.shared(), thread.lane());
    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
    uint32_t run = thread.warp() * thread.block_count() + thread.block();
    for (; run < arguments.runs; run += warps) {
      UnchainRunner<kPolicy.tables, Rounds, Mode, Thread>(thread, tables, arguments, run)
          .template decrypt<held_blocks(Mode)>();
    }
  }
};

/// The kernel that runs before decryption in place; a thread saves the block before one run.
struct SaveBlocksBeforeRuns : WithoutKey {
  static constexpr const char* kName = "grid/save_blocks_before_runs";
  using Arguments = SaveArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.ecb_threads), .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t threads = thread.block_count() * thread.count();
    for (uint32_t run = 1 + thread.block() * thread.count() + thread.index(); run < arguments.runs;
         run += threads) {
      store_aligned(arguments.saved + 16 * static_cast<uint64_t>(run),
                    load_bytes(arguments.input + run * arguments.run_bytes - 16, 16));
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
