// How the CPU's threads share a run.
#pragma once

#include <algorithm>

#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

inline uint64_t divided_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/// How many units of work, of `unit_bytes` each, make a piece. A piece should take much longer than it
/// takes to wake a thread (some 10 µs), and many pieces even out threads that run at different speeds.
inline uint64_t units_per_piece(uint64_t units, uint64_t unit_bytes, unsigned threads) {
  constexpr uint64_t kSmallestPiece = 128 << 10, kLargestPiece = 1 << 20;
  if (threads == 1) return units;
  const uint64_t smallest = divided_up(kSmallestPiece, unit_bytes);
  const uint64_t largest = divided_up(kLargestPiece, unit_bytes);
  return std::clamp(divided_up(units, threads), smallest, largest);
}

/// Calls part(first, count) for all of `units`, in pieces, on the threads.
template <class Part>
void share(WorkerThreads& threads, uint64_t units, uint64_t unit_bytes, const Part& part) {
  if (units == 0) return;
  const uint64_t per_piece = units_per_piece(units, std::max<uint64_t>(unit_bytes, 1), threads.threads());
  threads.share(divided_up(units, per_piece), [&](uint64_t piece) {
    const uint64_t first = piece * per_piece;
    part(first, std::min(per_piece, units - first));
  });
}

}  // namespace warpaes::core
