// XTS on bit planes. How XTS works is explained in grid/xts.hpp.
//
//     group of 256 blocks  | 0 … 31 | 32 … 63 | … | 224 … 255 |   lane l: block l of each 32, eight in all
//     a lane's tweaks        T        T * x^32      T * x^224     or from where a new data unit begins
//
// Threads. A warp takes a run of consecutive blocks in groups of 256, eight for each lane, wherever data
// units begin. A lane keeps the tweak of its first block of the group in shared memory, as the cipher needs
// all of its registers. It computes the other seven from it twice, before the cipher and again after it: each
// is the one before it times x^32 or, where a new unit has begun, that unit's tweak. A group that lies within
// one unit, in whole blocks at aligned addresses, never asks whether one has begun. The tweaks of 256 units
// are encrypted at once, on bit planes as well, and kept in shared memory.
//
// Ciphertext stealing is a launch of its own, for the last two blocks of every unit whose last block is not
// whole.
//
// Limits. The logic unit: the gates of ECB, and some 400 instructions for a lane's 16 tweaks and their sums.
// Timing class: strict.
#pragma once

#include "kernels/grid/xts.hpp"
#include "kernels/kernel.hpp"
#include "kernels/warp/bitsliced_group.hpp"
#include "kernels/warp/warp_scratch.hpp"

namespace warpaes::core {

struct SlicedXtsArguments : XtsUnits {
  SlicedKeys keys;                          // fill_sliced_keys() or fill_sliced_decryption_keys()
  SlicedKeys tweak_keys;                    // fill_sliced_keys()
  uint64_t first_stealing, stealing_units;  // consecutive units that end in a part of a block
};

/// A warp's own part of shared memory.
struct SlicedXtsScratch {
  alignas(16) uint8_t of_unit[kSlicedWarpBlocks][16];
  alignas(16) uint8_t of_lane[kWarpLanes][16];
  uint32_t unit[kWarpLanes], index[kWarpLanes];
};

/// Where a lane is in the message, and the tweak of its block there.
struct XtsPlace {
  uint32_t unit, index;  // `unit` is counted from the run's first unit
  XtsTweak tweak;
};

WARPAES_HOST_DEVICE XtsTweak tweak_of(Columns v) { return {{v.a, v.b, v.c, v.d}}; }

/// tweak * x^power, for any power below 2^20.
WARPAES_HOST_DEVICE XtsTweak xts_times_any_power(XtsTweak tweak, uint32_t power) {
  if (power >= kWarpLanes) tweak = xts_product(tweak, xts_power_of_x(power / kWarpLanes * kWarpLanes, 20));
  return xts_times_x(tweak, power % kWarpLanes);
}

/// Encrypts the tweaks of 256 units, which lie in the lanes as the blocks of a group do.
/// @param unit the first of them
template <int Rounds, class Thread>
WARPAES_HOST_DEVICE SlicedBlocks sliced_tweaks(Thread& thread, const SlicedXtsArguments& arguments,
                                               uint64_t unit) {
  SlicedBlocks blocks;
  WARPAES_UNROLL
  for (uint32_t j = 0; j < kSlicedBlocks; j++) {
    blocks.block[j] = columns_of(xts_unit_number(arguments.number, unit + thread.lane() + kWarpLanes * j));
  }
  SlicedState state = slice(blocks);
  sliced_cipher<Rounds, WARPAES_DIRECTION_ENCRYPT>(state, arguments.tweak_keys);
  return unslice(state);
}

/// One warp's work on one run.
template <int Rounds, class Thread>
class SlicedXtsRun {
 public:
  WARPAES_HOST_DEVICE SlicedXtsRun(Thread& thread, SlicedXtsScratch& scratch,
                                   const SlicedXtsArguments& arguments, uint32_t run)
      : thread_(thread),
        scratch_(scratch),
        arguments_(arguments),
        first_(run * arguments.run_blocks),
        whole_(is_aligned(arguments.input) && is_aligned(arguments.output) &&
               arguments.unit_bytes % 16 == 0 && arguments.bytes % 16 == 0) {}

  /// Goes on to the group that begins `at` blocks behind the run's first block. Groups have to come one after
  /// the other.
  WARPAES_HOST_DEVICE void begin_group(uint64_t at) {
    at_ = at;
    const uint64_t index = first_ % arguments_.unit_blocks + at;
    const uint32_t unit = static_cast<uint32_t>(index / arguments_.unit_blocks);
    const uint32_t last = static_cast<uint32_t>((index + kSlicedWarpBlocks - 1) / arguments_.unit_blocks);
    if (at == 0 || last - batch_ >= kSlicedWarpBlocks) encrypt_tweaks(unit);
    within_ = whole_ && unit == last && first_ + at + kSlicedWarpBlocks <= arguments_.blocks;
    if (at != 0) {
      advance();
    } else {
      const uint64_t lane_index = index + thread_.lane();
      place_.unit = static_cast<uint32_t>(lane_index / arguments_.unit_blocks);
      place_.index = static_cast<uint32_t>(lane_index % arguments_.unit_blocks);
      place_.tweak = xts_times_any_power(of_unit(), place_.index);
    }
    const uint32_t lane = thread_.lane();
    store_aligned(scratch_.of_lane[lane], columns_of(place_.tweak));
    scratch_.unit[lane] = place_.unit;
    scratch_.index[lane] = place_.index;
  }

  /// The cipher's input, with the first round key added.
  WARPAES_HOST_DEVICE SlicedBlocks before() {
    const Columns key = arguments_.keys.first;
    SlicedBlocks blocks;
    if (within_) {
      const uint8_t* const from = arguments_.input + 16 * (first_ + at_ + thread_.lane());
      for_each_tweak([&](int j, Columns tweak) {
        blocks.block[j] = exclusive_or(load_aligned(from + SlicedPlace::offset(j)), tweak, key);
      });
      return blocks;
    }
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      if (j != 0) advance();
      blocks.block[j] = exclusive_or(load(j), columns_of(place_.tweak), key);
    }
    return blocks;
  }

  WARPAES_HOST_DEVICE void after(const SlicedBlocks& blocks) {
    const Columns key = arguments_.keys.last;
    const uint32_t lane = thread_.lane();
    thread_.sync_warp();  // otherwise the compiler would keep what is read here in registers
    place_ = {scratch_.unit[lane], scratch_.index[lane], tweak_of(load_aligned(scratch_.of_lane[lane]))};
    if (within_) {
      uint8_t* const to = arguments_.output + 16 * (first_ + at_ + lane);
      for_each_tweak([&](int j, Columns tweak) {
        store_aligned(to + SlicedPlace::offset(j), exclusive_or(blocks.block[j], tweak, key));
      });
      return;
    }
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      if (j != 0) advance();
      store(j, exclusive_or(blocks.block[j], columns_of(place_.tweak), key));
    }
  }

 private:
  /// Calls work(j, tweak) for each of the lane's blocks of a group that lies within one data unit, and ends
  /// at the last one.
  template <class Work>
  WARPAES_HOST_DEVICE void for_each_tweak(const Work& work) {
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      if (j != 0) place_.tweak = xts_times_x32(place_.tweak);
      work(j, columns_of(place_.tweak));
    }
    place_.index += kSlicedWarpBlocks - kWarpLanes;
  }

  /// Goes on by 32 blocks, to the lane's next block of the group.
  WARPAES_HOST_DEVICE void advance() {
    place_.index += kWarpLanes;
    if (place_.index < arguments_.unit_blocks) {
      place_.tweak = xts_times_x32(place_.tweak);
      return;
    }
    place_.unit += place_.index / arguments_.unit_blocks;
    place_.index %= arguments_.unit_blocks;
    // Nobody reads a tweak behind the run's end, but the place that is computed must lie within the scratch.
    place_.tweak = xts_times_x(of_unit(), place_.index);
  }

  WARPAES_HOST_DEVICE XtsTweak of_unit() const {
    return tweak_of(load_aligned(scratch_.of_unit[(place_.unit - batch_) % kSlicedWarpBlocks]));
  }

  WARPAES_HOST_DEVICE void encrypt_tweaks(uint32_t from) {
    batch_ = from;
    const SlicedBlocks tweaks =
        sliced_tweaks<Rounds>(thread_, arguments_, first_ / arguments_.unit_blocks + from);
    thread_.sync_warp();  // all lanes have read the scratch for the last time
    WARPAES_UNROLL
    for (int j = 0; j < kSlicedBlocks; j++) {
      store_aligned(scratch_.of_unit[kWarpLanes * j + thread_.lane()], tweaks.block[j]);
    }
    thread_.sync_warp();
  }

  WARPAES_HOST_DEVICE bool has(int j) const {
    return first_ + at_ + thread_.lane() + kWarpLanes * static_cast<uint32_t>(j) < arguments_.blocks;
  }

  /// Where the lane's block lies, for memory that is not aligned and units that are not whole blocks.
  /// UINT64_MAX for a block that is left to ciphertext stealing.
  WARPAES_HOST_DEVICE uint64_t offset() const {
    const uint64_t unit = first_ / arguments_.unit_blocks + place_.unit;
    const uint32_t bytes = arguments_.bytes_of_unit(unit);
    if (bytes % 16 != 0 && place_.index == bytes / 16 - 1) return UINT64_MAX;
    return unit * arguments_.unit_bytes + 16 * uint64_t{place_.index};
  }

  WARPAES_HOST_DEVICE Columns load(int j) const {
    if (!has(j)) return {0, 0, 0, 0};
    const uint64_t at = 16 * (first_ + at_ + thread_.lane());
    if (whole_) return load_aligned(arguments_.input + at + SlicedPlace::offset(j));
    const uint64_t from = offset();
    return from == UINT64_MAX ? Columns{0, 0, 0, 0} : load_bytes(arguments_.input + from, 16);
  }

  WARPAES_HOST_DEVICE void store(int j, Columns block) const {
    if (!has(j)) return;
    const uint64_t at = 16 * (first_ + at_ + thread_.lane());
    if (whole_) {
      store_aligned(arguments_.output + at + SlicedPlace::offset(j), block);
      return;
    }
    const uint64_t to = offset();
    if (to != UINT64_MAX) store_bytes(arguments_.output + to, block, 16);
  }

  Thread& thread_;
  SlicedXtsScratch& scratch_;
  const SlicedXtsArguments& arguments_;
  const uint64_t first_;
  const bool whole_;     // all units are whole blocks at aligned addresses
  bool within_ = false;  // the group lies within one data unit, and is whole blocks at aligned addresses
  uint64_t at_ = 0;
  uint32_t batch_ = 0;  // the first of the 256 units whose tweaks are in the scratch
  XtsPlace place_{};
};

/// The body of the kernel for ciphertext stealing (IEEE 1619 sections 5.3.2 and 5.4.2). Each of a lane's 8
/// blocks is of another data unit. Decryption uses a unit's last two tweaks in reverse order.
template <int Rounds, warpaes_direction Way, class Thread>
WARPAES_HOST_DEVICE void bitsliced_xts_stealing(Thread& thread, const SlicedXtsArguments& arguments) {
  const uint32_t warp = thread.warp(), lane = thread.lane();
  SlicedXtsScratch& scratch = reinterpret_cast<SlicedXtsScratch*>(thread.shared())[warp];
  auto& tweaks = scratch.of_unit;
  const uint64_t warps = thread.block_count() * (thread.count() / kWarpLanes);
  const uint64_t from = arguments.first_stealing, end = from + arguments.stealing_units;
  uint64_t group = from + kSlicedWarpBlocks * (uint64_t{warp} * thread.block_count() + thread.block());
  for (; group < end; group += kSlicedWarpBlocks * warps) {
    SlicedBlocks blocks = sliced_tweaks<Rounds>(thread, arguments, group);
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      const uint64_t unit = group + lane + kWarpLanes * j;
      const uint32_t bytes = unit < end ? arguments.bytes_of_unit(unit) : 16;
      const XtsTweak tweak = xts_times_any_power(tweak_of(blocks.block[j]), bytes / 16 - 1);
      store_aligned(tweaks[kWarpLanes * j + lane], columns_of(tweak));
    }
    thread.sync_warp();  // otherwise the compiler would keep the tweaks in registers
    const auto tweak_of_step = [&](uint32_t j, bool second) {
      const XtsTweak tweak = tweak_of(load_aligned(tweaks[kWarpLanes * j + lane]));
      return columns_of(second == (Way == WARPAES_DIRECTION_ENCRYPT) ? xts_times_x(tweak, 1) : tweak);
    };
    const auto last_whole = [&](uint32_t j) {
      const uint64_t unit = group + lane + kWarpLanes * j;
      return unit * arguments.unit_bytes + arguments.bytes_of_unit(unit) / 16 * 16 - 16;
    };
    const auto has = [&](uint32_t j) { return group + lane + kWarpLanes * j < end; };
    WARPAES_UNROLL
    for (uint32_t j = 0; j < kSlicedBlocks; j++) {
      blocks.block[j] = tweak_of_step(j, false);
      if (has(j)) blocks.block[j] = blocks.block[j] ^ load_bytes(arguments.input + last_whole(j), 16);
    }
    WARPAES_KEEP_ROLLED
    for (int step = 0; step < 2; step++) {
      SlicedState state = slice(blocks);
      sliced_cipher<Rounds, Way>(state, arguments.keys);
      blocks = unslice(state);
      thread.sync_warp();
      WARPAES_UNROLL
      for (uint32_t j = 0; j < kSlicedBlocks; j++) {
        const Columns made = blocks.block[j] ^ tweak_of_step(j, step != 0);
        if (!has(j)) continue;
        const uint64_t at = last_whole(j);
        if (step != 0) {
          store_bytes(arguments.output + at, made, 16);
          continue;
        }
        const uint32_t tail = arguments.bytes_of_unit(group + lane + kWarpLanes * j) % 16;
        blocks.block[j] = load_bytes(arguments.input + at + 16, tail) ^ made ^ keep_bytes(made, tail) ^
                          tweak_of_step(j, true);
        store_bytes(arguments.output + at + 16, made, tail);
      }
    }
  }
  clear_scratch(thread, scratch);
}

namespace kernels::grid {

/// The kernel for all whole blocks except those that take part in ciphertext stealing.
template <warpaes_direction Way>
struct BitslicedXts : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_xts";
  using Arguments = SlicedXtsArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads),
            .blocks = on.bitsliced_xts_blocks,
            .shared_bytes_a_warp = sizeof(SlicedXtsScratch)};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    const uint32_t warp = thread.warp();
    SlicedXtsScratch& scratch = reinterpret_cast<SlicedXtsScratch*>(thread.shared())[warp];
    const uint32_t warps = thread.block_count() * (thread.count() / kWarpLanes);
    for (uint32_t run = warp * thread.block_count() + thread.block(); run < arguments.runs; run += warps) {
      const uint64_t left = arguments.blocks - run * arguments.run_blocks;
      const uint64_t count = left < arguments.run_blocks ? left : arguments.run_blocks;
      SlicedXtsRun<Rounds, Thread> groups(thread, scratch, arguments, run);
      for (uint64_t at = 0; at < count; at += kSlicedWarpBlocks) {
        groups.begin_group(at);
        crypt_keyed_group<Rounds, Way>(groups, arguments.keys);
      }
    }
    clear_scratch(thread, scratch);
  }
};

/// The kernel for ciphertext stealing. Its blocks are few, so it matters more that registers suffice than how
/// many threads there are.
template <warpaes_direction Way>
struct BitslicedXtsStealing : ForEveryKeySize {
  static constexpr const char* kName = "grid/bitsliced_xts_stealing";
  using Arguments = SlicedXtsArguments;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.bitsliced_threads),
            .blocks = 0,
            .shared_bytes_a_warp = sizeof(SlicedXtsScratch)};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    bitsliced_xts_stealing<Rounds, Way>(thread, arguments);
  }
};

}  // namespace kernels::grid

}  // namespace warpaes::core
