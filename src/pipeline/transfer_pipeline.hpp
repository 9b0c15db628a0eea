// Brings pieces of a job through a device. Copies to the device, work on it and copies back have a stream
// each, so three pieces are under way at once (docs/design/host-memory.md has a picture of it). An event
// behind each step holds up the next one. The host waits only for the oldest piece, and only when it needs
// that piece's slot for another one. So it takes a piece from the queue no earlier than it has to, and knows
// which pieces are done if the device fails.
#pragma once

#include <deque>

#include "pipeline/piece_queue.hpp"

namespace warpaes::core {

/// What is known of a run that has failed.
struct TransferProgress {
  bool output_touched = false;  // a piece was begun, so some output may have been written
  bool input_lost = false;      // the input of a piece that is not done has been overwritten
};

class TransferPipeline {
 public:
  /// Throws DEVICE_MEMORY or HOST_MEMORY, with nothing taken from the queue, if there is no room for the
  /// smallest sensible piece.
  TransferPipeline(TransferPool& pool, const TransferSizes& sizes, const Engine& engine,
                   const TransferJob& job, PieceQueue& queue, TransferProgress& progress);

  /// Takes pieces from the front of the queue until it is empty. If the device fails, those that have not
  /// come through go back to the queue, but for those whose input is lost.
  /// @param alone nobody else takes pieces of the queue. Otherwise the last pieces become smaller, so that
  /// all end at about the same time.
  void run(bool alone);

 private:
  /// How far a piece has come. `fetching` and `finishing` are set before these steps begin, from when on they
  /// may have overwritten something. `fetched` means that all work for the piece has been put on the streams.
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
