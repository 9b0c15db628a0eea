// A few threads that wait for work, and share it with the thread that calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

namespace warpaes::core {

class WorkerThreads {
 public:
  /// @param threads that work on one call, the caller's included; they start at the first call that
  ///        needs them
  explicit WorkerThreads(unsigned threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  unsigned threads() const { return threads_; }

  /// Calls work(0) … work(pieces - 1), each once, and returns when all are done. The caller takes part,
  /// so calls from many threads at once, from within `work` and after a fork all make progress. The
  /// first exception stops the pieces that have not begun, and is thrown here. The other threads have wiped
  /// their registers and stacks before this returns.
  void share(uint64_t pieces, const std::function<void(uint64_t)>& work);

 private:
  struct Job;
  struct Crew;

  const unsigned threads_;
  const unsigned generation_;  // fork_generation() of the process that has the other threads
  std::unique_ptr<Crew> crew_;
};

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
