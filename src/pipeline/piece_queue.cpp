#include "pipeline/piece_queue.hpp"

#include <algorithm>

namespace warpaes::core {

PieceQueue::PieceQueue(uint64_t units) {
  if (units != 0) pieces_.push_back({0, units});
}

std::optional<Piece> PieceQueue::take_front(uint64_t most) {
  const std::lock_guard lock(mutex_);
  if (pieces_.empty()) return {};
  Piece& front = pieces_.front();
  const Piece taken{front.first, std::min(most, front.count)};
  front = {front.first + taken.count, front.count - taken.count};
  if (front.count == 0) pieces_.pop_front();
  return taken;
}

std::optional<Piece> PieceQueue::take_back(uint64_t most) {
  const std::lock_guard lock(mutex_);
  if (pieces_.empty()) return {};
  Piece& back = pieces_.back();
  const uint64_t count = std::min(most, back.count);
  back.count -= count;
  const Piece taken{back.first + back.count, count};
  if (back.count == 0) pieces_.pop_back();
  return taken;
}

void PieceQueue::give_back(Piece piece) {
  const std::lock_guard lock(mutex_);
  if (piece.count != 0) pieces_.push_front(piece);
}

uint64_t PieceQueue::left() const {
  const std::lock_guard lock(mutex_);
  uint64_t units = 0;
  for (const Piece& piece : pieces_) units += piece.count;
  return units;
}

void PieceQueue::close() {
  const std::lock_guard lock(mutex_);
  pieces_.clear();
}

}  // namespace warpaes::core
