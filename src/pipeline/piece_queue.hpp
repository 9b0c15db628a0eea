// Holds the pieces of a job that nobody has begun.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>

#include "pipeline/host_job.hpp"

namespace warpaes::core {

class PieceQueue {
 public:
  explicit PieceQueue(uint64_t units) { give_back({0, units}); }

  /// These take at most so many units from the front or from the back, and nothing if none is left.
  std::optional<Piece> take_front(uint64_t most) {
    const std::lock_guard lock(mutex_);
    if (pieces_.empty()) return {};
    Piece& front = pieces_.front();
    const Piece taken{front.first, std::min(most, front.count)};
    front = {front.first + taken.count, front.count - taken.count};
    if (front.count == 0) pieces_.pop_front();
    return taken;
  }
  std::optional<Piece> take_back(uint64_t most) {
    const std::lock_guard lock(mutex_);
    if (pieces_.empty()) return {};
    Piece& back = pieces_.back();
    const uint64_t count = std::min(most, back.count);
    back.count -= count;
    const Piece taken{back.first + back.count, count};
    if (back.count == 0) pieces_.pop_back();
    return taken;
  }
  /// Takes back what somebody has taken and not done.
  void give_back(Piece piece) {
    const std::lock_guard lock(mutex_);
    if (piece.count != 0) pieces_.push_front(piece);
  }
  /// The number of units that are left now.
  uint64_t left() const {
    const std::lock_guard lock(mutex_);
    uint64_t units = 0;
    for (const Piece& piece : pieces_) units += piece.count;
    return units;
  }
  /// Drops everything that is left, so that those who work come to an end.
  void close() {
    const std::lock_guard lock(mutex_);
    pieces_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<Piece> pieces_;  // none of them empty
};

}  // namespace warpaes::core
