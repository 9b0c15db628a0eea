// What nobody has begun of a job.
#pragma once

#include <deque>
#include <mutex>
#include <optional>

#include "pipeline/host_job.hpp"

namespace warpaes::core {

class PieceQueue {
 public:
  explicit PieceQueue(uint64_t units);

  /// At most so many units from the front, or the back; nothing if none is left.
  std::optional<Piece> take_front(uint64_t most);
  std::optional<Piece> take_back(uint64_t most);
  /// For what was taken and not done.
  void give_back(Piece piece);
  /// Units that are left now.
  uint64_t left() const;
  /// Takes everything away, so that those that work come to an end.
  void close();

 private:
  mutable std::mutex mutex_;
  std::deque<Piece> pieces_;  // none of them empty
};

}  // namespace warpaes::core
