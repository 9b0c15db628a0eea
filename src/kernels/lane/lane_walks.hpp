// The body of a kernel whose lanes walk a message each.
#pragma once

#include "kernels/lane/lane_keys.hpp"

namespace warpaes::core {

/// The tables of a kernel of lanes, filled, with the barrier that must follow.
/// @tparam Lane LanePrivateTables or TablesOfBothWays
template <class Lane, bool Inverts, class Thread>
WARPAES_HOST_DEVICE void fill_lane_tables(Thread& thread, const uint32_t* t0, const uint32_t* inverse_t0) {
  if constexpr (requires { typename Lane::Cipher; }) {
    Lane::fill(thread.shared(), t0, inverse_t0, thread.index(), thread.count());
  } else {
    Lane::fill(thread.shared(), Inverts ? inverse_t0 : t0, thread.index(), thread.count());
  }
  thread.barrier();
}

/// The body of a kernel of lanes: tables are filled, and each lane walks its messages.
/// @param walk (const Lane& tables, uint32_t message, uint32_t step): a lane's first message, and how far the
///        next one is. Neighbouring warps' messages go to different blocks, so that a few of them use many
///        multiprocessors
template <class Lane, bool Inverts, class Thread, class Arguments, class Walk>
WARPAES_HOST_DEVICE void walk_in_lanes(Thread& thread, const Arguments& arguments, const uint32_t* t0,
                                       const uint32_t* inverse_t0, const Walk& walk) {
  fill_lane_tables<Lane, Inverts>(thread, t0, inverse_t0);
  if (thread.warp() >= arguments.warps) return;
  const Lane tables(thread.shared(), thread.lane());
  const uint32_t warp = thread.warp() * thread.block_count() + thread.block();
  walk(tables, warp * kWarpLanes + thread.lane(), arguments.warps * thread.block_count() * kWarpLanes);
}

}  // namespace warpaes::core
