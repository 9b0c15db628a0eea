// The loop of all staged runs.
#pragma once

#include <algorithm>
#include <vector>

#include "pipeline/staging.hpp"

namespace warpaes::core {

/// 64 MiB of payload a piece: enough that copies and kernels run at full speed, little beside a GPU's
/// memory. If even that cannot be had, half of it, down to 1 MiB.
constexpr uint64_t kPieceBytes = 64 << 20, kSmallestPieceBytes = 1 << 20;

/// What a lane must hold for a piece of so many units.
struct LaneNeed {
  size_t device_bytes, parcel_bytes;
};

/// Lanes for pieces of `*units_per_piece` units, two if there is more than one piece; halves
/// `*units_per_piece` while device memory is short.
template <class Job>
std::vector<StagingPool::Lease> lanes_for(StagingPool& pool, const Job& job, uint64_t units,
                                          uint64_t* units_per_piece) {
  const uint64_t smallest = std::max<uint64_t>(kSmallestPieceBytes / job.unit_bytes(), 1);
  for (;;) {
    try {
      const LaneNeed need = job.need(*units_per_piece);
      std::vector<StagingPool::Lease> lanes;
      lanes.push_back(pool.checkout(need.device_bytes, need.parcel_bytes));
      if (units > *units_per_piece) lanes.push_back(pool.checkout(need.device_bytes, need.parcel_bytes));
      return lanes;
    } catch (const Failure& failure) {
      if (failure.status() != WARPAES_ERROR_DEVICE_MEMORY || *units_per_piece <= smallest) throw;
      *units_per_piece = std::max(*units_per_piece / 2, smallest);
      pool.free_idle();  // the first lane, if it was the second that found no room
    }
  }
}

/// Runs a job of `units` units in pieces. A job has
///   unit_bytes()                  payload of a unit, at least 1
///   need(units)                   what a lane must hold
///   enqueue(lane, first, count)   copies in, works, copies out, all on the lane's stream; called in order
///   finish(lane, first, count)    what the host does when that has come through
template <class Job>
void run_staged(StagingPool& pool, Job&& job, uint64_t units, bool& output_touched) {
  if (units == 0) return;
  uint64_t per_piece = std::min(units, std::max<uint64_t>(kPieceBytes / job.unit_bytes(), 1));
  const std::vector<StagingPool::Lease> lanes = lanes_for(pool, job, units, &per_piece);
  const uint64_t pieces = units / per_piece + (units % per_piece != 0);
  const auto count = [&](uint64_t piece) { return std::min(per_piece, units - piece * per_piece); };
  const auto finish = [&](uint64_t piece) {
    const StagingPool::Lease& lane = lanes[piece % lanes.size()];
    synchronize(lane.stream());
    job.finish(lane, piece * per_piece, count(piece));
  };

  output_touched = true;
  for (uint64_t piece = 0; piece < pieces; piece++) {
    if (piece >= lanes.size()) finish(piece - lanes.size());
    job.enqueue(lanes[piece % lanes.size()], piece * per_piece, count(piece));
  }
  for (uint64_t piece = pieces - std::min<uint64_t>(pieces, lanes.size()); piece < pieces; piece++) {
    finish(piece);
  }
}

}  // namespace warpaes::core
