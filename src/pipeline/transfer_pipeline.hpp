// Pieces of a job on their way through a device. Copies to it, work on it and copies back are on a stream
// each, and so happen at once for three pieces (docs/design/host-memory.md has a picture of it). An event
// behind each step holds up the next one. The host waits for nothing but the oldest piece, and only when it
// needs that piece's slot for another one: so it takes a piece from the queue no earlier than it has to, and
// knows which pieces are done if the device fails.
#pragma once

#include <deque>

#include "pipeline/piece_queue.hpp"

namespace warpaes::core {

/// What a run leaves behind if it fails.
struct TransferProgress {
  bool output_touched = false;  // set before the first piece is begun
  bool input_lost = false;      // some of what is not done has been overwritten
};

class TransferPipeline {
 public:
  /// Throws DEVICE_MEMORY or HOST_MEMORY, with nothing taken from the queue, if there is no room for the
  /// smallest sensible piece.
  TransferPipeline(TransferPool& pool, const TransferSizes& sizes, const Engine& engine,
                   const TransferJob& job, PieceQueue& queue, TransferProgress& progress);

  /// Takes pieces from the front of the queue until it is empty. If the device fails, those that have not
  /// come through go back to the queue, but for those whose input is lost.
  /// @param alone nobody else takes pieces. If somebody does, the last ones become smaller, so that all end
  /// at the same time.
  void run(bool alone);

 private:
  /// How far a piece has come. From `fetching` and `finishing` on, what these steps write may have been
  /// overwritten. `fetched`: all that it needs is on the streams.
  enum class Step { begun, fetching, fetched, finishing };
  struct Flying {
    Piece piece;
    size_t slot;
    Step step = Step::begun;
  };

  TransferPool::Lease take_lease(TransferPool& pool);
  std::optional<Piece> take_piece(bool alone);
  void start(Piece piece);
  void finish_oldest();
  void finish(Flying& flying);
  void abandon();
  bool finishes(Flying& flying);
  bool has_lost_input(const Flying& flying) const;

  const TransferSizes& sizes_;
  const Engine& engine_;
  const TransferJob& job_;
  PieceQueue& queue_;
  TransferProgress& progress_;
  const int device_;
  uint64_t units_per_piece_;
  SlotNeed need_{0, 0};
  TransferPool::Lease transfer_;
  std::deque<Flying> flying_;  // the oldest first
  size_t next_slot_ = 0;
};

}  // namespace warpaes::core
