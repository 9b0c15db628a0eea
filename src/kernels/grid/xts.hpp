// XTS (IEEE 1619): data units of any size, any number of them in one launch.
//
//     data units    | unit 0             | unit 1             | unit 2 …
//     runs          | warp 0    | warp 1    | warp 2    | …            wherever units begin
//     in a run      | 0 … 31 | 32 … 63 | …                             lane l: block l of each 32 blocks
//
// Threads. A warp takes a run of consecutive blocks, 32 at a time, wherever data units begin. A lane keeps
// its block's tweak and multiplies it by x^32 from one block to its next, which is a shift by one word and a
// reduction. Where a new data unit begins, lanes take that unit's tweak: the tweaks of 32 units are encrypted
// at once, one in each lane, and handed out by shuffles. For a run that begins in the middle of a large unit,
// the power of x is found by square and multiply.
//
// Ciphertext stealing (section 5.3.2): the lane that has a unit's last whole block also does the part of a
// block that follows it. Units that end with a part of a block are read and written byte by byte, but for a
// single long one, in which only the last row is.
//
// Decryption encrypts its tweaks, and so needs a table of the cipher beside those of the inverse cipher. One
// table instead of four is enough, as there are few tweaks.
//
// Limits. Shared memory, as in ECB; each data unit adds the look-ups of one more block, for its tweak, and
// four shuffles.
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/shifted_rows.hpp"
#include "primitives/xts_tweak.hpp"

namespace warpaes::core {

/// What is to be encrypted or decrypted, and how it is cut into runs.
struct XtsUnits {
  XtsTweak number;  // the number of the first data unit, as a tweak
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint64_t unit_bytes;   // the last unit may be shorter
  uint32_t unit_blocks;  // whole blocks of a unit
  uint64_t blocks;       // whole blocks of all units together
  uint64_t run_blocks;   // a multiple of 32
  uint32_t runs;

  WARPAES_HOST_DEVICE uint32_t bytes_of_unit(uint64_t unit) const {
    const uint64_t left = bytes - unit * unit_bytes;
    return static_cast<uint32_t>(left < unit_bytes ? left : unit_bytes);
  }

  /// How many of a run's blocks lie one behind the other, without a part of a block in between: all of them
  /// if units are whole blocks, and none if there are several units that end with a part of a block. Of a
  /// single such unit, only its last row of blocks does not count, which any_block() does with that part.
  WARPAES_HOST_DEVICE uint64_t blocks_in_rows(uint64_t first, uint64_t count) const {
    if (unit_bytes % 16 != 0 && bytes > unit_bytes) return 0;
    if (bytes % 16 == 0 || first + count != blocks) return count;
    return (count - 1) / kWarpLanes * kWarpLanes;
  }
};

struct XtsArguments : XtsUnits {
  RoundKeys keys;        // KeySchedule::encryption() or decryption()
  RoundKeys tweak_keys;  // KeySchedule::encryption()
};

WARPAES_HOST_DEVICE Columns columns_of(const XtsTweak& v) {
  return {v.word[0], v.word[1], v.word[2], v.word[3]};
}

/// One warp's work on one run.
template <class Tables, class TweakTables, int Rounds, warpaes_direction Way, class Thread>
class XtsRunner {
 public:
  WARPAES_HOST_DEVICE XtsRunner(Thread& thread, const Tables& tables, const TweakTables& tweak_tables,
                                const XtsArguments& arguments, uint32_t run)
      : thread_(thread),
        tables_(tables),
        tweak_tables_(tweak_tables),
        arguments_(arguments),
        first_(run * arguments.run_blocks),
        first_unit_(first_ / arguments.unit_blocks),
        index_(static_cast<uint32_t>(first_ % arguments.unit_blocks) + thread.lane()) {}

  WARPAES_HOST_DEVICE void crypt() {
    const uint64_t left = arguments_.blocks - first_;
    const uint64_t count = left < arguments_.run_blocks ? left : arguments_.run_blocks;
    const uint64_t in_rows = arguments_.blocks_in_rows(first_, count);
    const bool aligned = is_aligned(arguments_.input) && is_aligned(arguments_.output);
    uint64_t at = aligned ? whole_steps(in_rows) : shifted_steps(in_rows);
    for (; at < count; at += kWarpLanes) {
      find_tweak(at == 0);
      if (at + thread_.lane() < count) any_block();
    }
  }

 private:
  WARPAES_HOST_DEVICE Columns cipher(Columns block, Columns tweak) const {
    const RoundKeys& keys = arguments_.keys;
    if constexpr (Way == WARPAES_DIRECTION_ENCRYPT) {
      return tables_.template encrypt<Rounds, 1>(Tables::add_round_key(block ^ tweak, keys, 0), keys) ^ tweak;
    } else {
      return tables_.template decrypt<Rounds>(block ^ tweak, keys) ^ tweak;
    }
  }

  /// Takes steps in which each lane has one block; the next block is loaded before the present one is worked
  /// on.
  /// @return how many blocks of the run were done: those of all whole steps
  WARPAES_HOST_DEVICE uint64_t whole_steps(uint64_t count) {
    const uint8_t* input = arguments_.input + 16 * (first_ + thread_.lane());
    uint8_t* output = arguments_.output + 16 * (first_ + thread_.lane());
    Columns next = count < kWarpLanes ? Columns{0, 0, 0, 0} : load_aligned(input);
    uint64_t at = 0;
    for (; at + kWarpLanes <= count; at += kWarpLanes) {
      const Columns in = next;
      input += 16 * kWarpLanes;
      if (at + 2 * kWarpLanes <= count) next = load_aligned(input);
      find_tweak(at == 0);
      store_aligned(output, cipher(in, columns_of(tweak_)));
      output += 16 * kWarpLanes;
    }
    return at;
  }

  /// The same at any address, for all blocks that lie one behind the other.
  WARPAES_HOST_DEVICE uint64_t shifted_steps(uint64_t count) {
    bool first = true;
    shifted_rows(thread_, arguments_.input + 16 * first_, arguments_.output + 16 * first_, 16 * count,
                 [&](Columns block) {
                   find_tweak(first);
                   first = false;
                   return cipher(block, columns_of(tweak_));
                 });
    return count;
  }

  /// Finds the tweak of this lane's next block.
  WARPAES_HOST_DEVICE void find_tweak(bool first) {
    if (!first) index_ += kWarpLanes;
    const bool enters = first || index_ >= arguments_.unit_blocks;
    if (!thread_.any(enters)) {
      tweak_ = xts_times_x32(tweak_);
      return;
    }
    if (enters) {
      unit_ += index_ / arguments_.unit_blocks;
      index_ %= arguments_.unit_blocks;
    }
    if (thread_.any(enters && unit_ - batch_ >= kWarpLanes)) encrypt_tweaks(enters ? unit_ : unit_ + 1);
    XtsTweak entered;
    for (int i = 0; i < 4; i++) entered.word[i] = thread_.shuffle(encrypted_.word[i], unit_ - batch_);
    // A run may begin anywhere in a unit. Later, lanes enter a unit within its first 32 blocks.
    if (thread_.any(enters && index_ >= kWarpLanes)) entered = times_power(entered);
    tweak_ = enters ? xts_times_x(entered, index_ % kWarpLanes) : xts_times_x32(tweak_);
  }

  /// Encrypts the tweaks of 32 units, of which the first is the one that lane 0 names.
  WARPAES_HOST_DEVICE void encrypt_tweaks(uint32_t from) {
    batch_ = thread_.shuffle(from, 0);
    const RoundKeys& keys = arguments_.tweak_keys;
    const XtsTweak number = xts_unit_number(arguments_.number, first_unit_ + batch_ + thread_.lane());
    const Columns state = TweakTables::add_round_key(columns_of(number), keys, 0);
    const Columns tweak = tweak_tables_.template encrypt<Rounds, 1>(state, keys);
    encrypted_ = {{tweak.a, tweak.b, tweak.c, tweak.d}};
  }

  WARPAES_HOST_DEVICE XtsTweak times_power(XtsTweak tweak) const {
    int bits = 0;
    while (arguments_.unit_blocks >> bits != 0) bits++;
    return xts_product(tweak, xts_power_of_x(index_ / kWarpLanes * kWarpLanes, bits));
  }

  /// A block at any address and, if it is its unit's last whole one, the part of a block behind it.
  WARPAES_HOST_DEVICE void any_block() {
    const uint64_t unit_at = (first_unit_ + unit_) * arguments_.unit_bytes;
    const uint32_t unit_bytes = arguments_.bytes_of_unit(first_unit_ + unit_);
    const uint32_t tail = index_ == unit_bytes / 16 - 1 ? unit_bytes % 16 : 0;
    const uint8_t* const from = arguments_.input + unit_at + 16 * static_cast<uint64_t>(index_);
    uint8_t* const to = arguments_.output + unit_at + 16 * static_cast<uint64_t>(index_);

    // IEEE 1619 sections 5.3.2 and 5.4.2: decryption uses the last two tweaks in reverse order.
    Columns block = load_bytes(from, 16);
    Columns tweak = columns_of(tweak_), next = columns_of(xts_times_x(tweak_, 1));
    if (Way == WARPAES_DIRECTION_DECRYPT && tail != 0) {
      const Columns first = next;
      next = tweak;
      tweak = first;
    }
    WARPAES_KEEP_ROLLED
    for (uint32_t steal = tail;; steal = 0) {
      const Columns out = cipher(block, tweak);
      if (steal == 0) {
        store_bytes(to, out, 16);
        break;
      }
      block = load_bytes(from + 16, steal) ^ out ^ keep_bytes(out, steal);
      store_bytes(to + 16, out, steal);
      tweak = next;
    }
  }

  Thread& thread_;
  const Tables& tables_;
  const TweakTables& tweak_tables_;
  const XtsArguments& arguments_;
  const uint64_t first_, first_unit_;
  uint32_t unit_ = 0;  // the unit of this lane's block, counted from the run's first unit
  uint32_t index_;     // the number of this lane's block in its unit
  // The unit whose tweak lane 0 has encrypted; the other lanes have the next ones.
  uint32_t batch_ = 0 - kWarpLanes;
  XtsTweak encrypted_{}, tweak_{};
};

namespace kernels::grid {

/// Decryption has tables of the inverse cipher, and one table of the cipher behind them for the tweaks.
template <warpaes_direction Way>
struct Xts : ForEveryKeySize {
  static constexpr const char* kName = "grid/xts";
  using Arguments = XtsArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return Way == WARPAES_DIRECTION_ENCRYPT ? with_tables(on.tables, on.xts_threads)
                                            : with_one_more_table(on.tables_with_room, on.xts_threads);
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    using Lane = LanePrivateTables<kPolicy.tables>;
    using TweakLane = LanePrivateTables<Way == WARPAES_DIRECTION_ENCRYPT ? kPolicy.tables : 1>;
    uint8_t* const tweak_tables_at =
        thread.shared() + (Way == WARPAES_DIRECTION_ENCRYPT ? 0 : kPolicy.tables * kTableBytes);
    Lane::fill(thread.shared(), Way == WARPAES_DIRECTION_ENCRYPT ? thread.t0() : thread.inverse_t0(),
               thread.index(), thread.count());
    if constexpr (Way == WARPAES_DIRECTION_DECRYPT)
      TweakLane::fill(tweak_tables_at, thread.t0(), thread.index(), thread.count());
    end_fill(thread);
    const Lane tables(thread.shared(), thread.lane());
    const TweakLane tweak_tables(tweak_tables_at, thread.lane());

    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
    for (uint32_t run = thread.warp() * thread.block_count() + thread.block(); run < arguments.runs;
         run += warps) {
      XtsRunner<Lane, TweakLane, Rounds, Way, Thread>(thread, tables, tweak_tables, arguments, run).crypt();
    }
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
