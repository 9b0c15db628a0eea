// The frame of the kernels in which each lane has a message of its own: everything but the mode.
//
//     lane         0         1         2     …     31         a warp's lanes, at the same time
//     step 0   | m0:0-3  | m1:0-3  | m2:0-3  | … | m31:0-3 |  four blocks ("a tile") of each lane's message
//     step 1   | m0:4-7  | m1:4-7  | m2:4-5  | … | m31:4-7 |
//     step 2   | m0:8-11 | m1:8-11 | m99:0-3 | … |         |  message 2 was short: its lane has its next one
//
// So blocks of a message may wait for each other, and a short message does not hold up the other lanes.
// Neighbouring warps' messages go to different thread blocks, so that a small number of messages still uses
// many multiprocessors.
//
// Where there are fewer messages than lanes, and blocks do not wait for each other, the host has messages cut
// into runs of tiles, and a lane walks a run as it would walk a message.
//
// Memory. Four lanes share the loads and stores of their messages: warp/shared_tiles.hpp.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lane/inverse_lane_key.hpp"
#include "kernels/lane/lane_messages.hpp"
#include "kernels/warp/batched_message.hpp"
#include "kernels/warp/shared_tiles.hpp"

namespace warpaes::core {

/// The body of such a kernel: fills the tables, then lets each lane walk its messages.
/// @tparam Tables LanePrivateTables or TablesOfBothWays
/// @param walk (const Tables&, uint32_t message, uint32_t step), where `message` is a lane's first message
///        and `step` the distance to its next ones
template <class Tables, bool Inverts, class Thread, class Arguments, class Walk>
WARPAES_HOST_DEVICE void walk_in_lanes(Thread& thread, const Arguments& arguments, const Walk& walk) {
  if constexpr (requires { typename Tables::Cipher; }) {
    Tables::fill(thread.shared(), thread.t0(), thread.inverse_t0(), thread.index(), thread.count());
  } else {
    Tables::fill(thread.shared(), Inverts ? thread.inverse_t0() : thread.t0(), thread.index(),
                 thread.count());
  }
  end_fill(thread);
  if (thread.warp() >= arguments.warps) return;
  const Tables tables(thread.shared(), thread.lane());
  const uint32_t warp = thread.warp() * thread.block_count() + thread.block();
  walk(tables, warp * kWarpLanes + thread.lane(), arguments.warps * thread.block_count() * kWarpLanes);
}

/// The same for kernels with one kind of walk.
/// @tparam Walk LaneWalk, or a class with the members that are used here; all lanes of a warp call its
///        operator()
template <class Walk, class Thread>
WARPAES_HOST_DEVICE void walk_once(Thread& thread, const typename Walk::Arguments& arguments) {
  walk_in_lanes<typename Walk::Tables, Walk::kInverts>(
      thread, arguments, [&](const typename Walk::Tables& tables, uint32_t message, uint32_t step) {
        Walk(thread, tables, arguments)(message, step);
      });
}

/// How much a tile of a message with ciphertext stealing takes: never so much that only a part of a block is
/// left.
WARPAES_HOST_DEVICE uint32_t tile_before_stealing(uint64_t left) {
  if (left <= kTileBytes) return static_cast<uint32_t>(left);
  return left < kTileBytes + 16 ? kTileBytes - 16 : kTileBytes;
}

/// One lane's walk through its messages, tile by tile. A mode has, besides Arguments, Tables and kInverts:
///
///     static constexpr bool kStores;   // is there an output?
///     static constexpr bool kSteals;   // ciphertext stealing: the last tile must hold the last two blocks
///     static constexpr bool kRuns;     // can messages be cut into runs? Then an index is a LaneRun
///     Mode(const Tables&, const Arguments&);
///     look(index)                      // the message as the batch describes it
///     bool accepts(message, index);    // is there work? Writes the status of a message that is refused
///     void cut(message, index);        // with kRuns: leaves the run's share of the message, maybe nothing
///     void begin(message, index);      // takes its key and IV, and does what comes before its data
///     void crypt(thread, tile, bytes, left);  // `bytes` of the tile; `left` until the message's end
///     void end(thread, index, ends);   // called in all lanes; `ends` is true where a message is over
///
/// Bytes behind a message's end are worked on as well, so that the lanes stay together; their results are not
/// used.
template <class Mode, class Thread>
class LaneWalk {
 public:
  using Arguments = typename Mode::Arguments;
  using Tables = typename Mode::Tables;
  using Index = std::conditional_t<Mode::kRuns, LaneRun, uint32_t>;
  static constexpr bool kInverts = Mode::kInverts;

  WARPAES_HOST_DEVICE LaneWalk(Thread& thread, const Tables& tables, const Arguments& arguments)
      : thread_(thread), arguments_(arguments), mode_(tables, arguments), tiles_(thread) {}

  /// @param message,step this lane's first message or run, and the distance to its next ones
  WARPAES_HOST_DEVICE void operator()(uint32_t message, uint32_t step) {
    take(message, step);
    while (thread_.any(has_message())) {
      const uint32_t bytes = tile_bytes();
      Columns tile[kSharers];
      tiles_.load(tile, bytes);
      mode_.crypt(thread_, tile, bytes, left_);
      if constexpr (Mode::kStores) tiles_.store(tile, bytes);
      advance(bytes, step);
    }
  }

 private:
  WARPAES_HOST_DEVICE uint32_t messages() const {
    if constexpr (Mode::kRuns) return arguments_.messages * arguments_.runs;
    return arguments_.messages;
  }
  WARPAES_HOST_DEVICE bool has_message() const { return message_ < messages(); }
  WARPAES_HOST_DEVICE Index index_of(uint32_t message) const {
    if constexpr (Mode::kRuns) {
      return {arguments_, message};
    } else {
      return message;
    }
  }

  WARPAES_HOST_DEVICE uint32_t tile_bytes() const {
    if constexpr (Mode::kSteals) return tile_before_stealing(left_);
    return left_ < kTileBytes ? static_cast<uint32_t>(left_) : kTileBytes;
  }

  WARPAES_HOST_DEVICE void advance(uint32_t bytes, uint32_t step) {
    tiles_.advance();
    left_ -= bytes;
    const bool ends = has_message() && left_ == 0;
    mode_.end(thread_, index_of(message_), ends);
    if (ends) {
      take(message_ + step, step);
    } else if (Mode::kSteals && has_message() && bytes != kTileBytes) {
      tiles_.begin(end_.input - left_, end_.output - left_);
    }
  }

  /// Takes the next message or run that has work to do, beginning with this one.
  WARPAES_HOST_DEVICE void take(uint32_t message, uint32_t step) {
    const uint8_t* input = nullptr;
    uint8_t* output = nullptr;
    left_ = 0;
    for (; message < messages(); message += step) {
      const Index index = index_of(message);
      auto found = mode_.look(index);
      if (!mode_.accepts(found, index)) continue;
      if constexpr (Mode::kRuns) {
        mode_.cut(found, index);
        if (found.bytes == 0) continue;
      }
      input = found.input, output = found.output, left_ = found.bytes;
      mode_.begin(found, index);
      break;
    }
    message_ = message;
    tiles_.begin(input, output);
    if constexpr (Mode::kSteals) end_ = {input + left_, output + left_};
  }

  struct MessageEnd {
    const uint8_t* input = nullptr;
    uint8_t* output = nullptr;
  };

  Thread& thread_;
  const Arguments& arguments_;
  Mode mode_;
  SharedTiles<Mode::kStores, Thread> tiles_;
  uint32_t message_ = 0;  // or run
  uint64_t left_ = 0;
  MessageEnd end_;  // only if kSteals
};

}  // namespace warpaes::core
