// Work that goes through a GPU in pieces; and a call on host memory, which is work that anybody can do a part
// of: the GPU's pipelines take large pieces of it, the CPU's threads small ones, and in any order.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/transfer_pool.hpp"
#include "pipeline/transfer_sizes.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

/// Units [first, first + count) of a job.
struct Piece {
  uint64_t first, count;
};

/// The step that overwrites the input of a piece: none unless it is worked on in place.
enum class Overwrites { never, in_fetch, in_finish };

/// Send, work and fetch put a piece's work on the stream of the slot that has the same name. Others see to it
/// that it happens in this order.
class TransferJob {
 public:
  virtual ~TransferJob() = default;

  virtual uint64_t units() const = 0;
  /// Payload of a unit, at least 1; on average, if units are of different lengths.
  virtual uint64_t unit_bytes() const = 0;

  /// Which of the sizes its pieces should have.
  virtual uint64_t piece_bytes(const TransferSizes& sizes) const = 0;
  /// What a slot must have for pieces of so many units, wherever they begin.
  virtual SlotNeed need(const Engine& engine, uint64_t units) const = 0;
  /// How many of the units of this piece such a slot has room for, at least 1.
  virtual uint64_t fitting(const Engine&, Piece piece, SlotNeed) const { return piece.count; }
  virtual void send(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  virtual void work(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  virtual void fetch(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  /// What the host does with a piece that has been fetched.
  virtual void finish(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  /// What writes where send() of the same piece has read? A piece that has come so far when something fails,
  /// and not to its end, cannot be done by anybody else.
  virtual Overwrites overwrites_input() const = 0;
};

class HostJob : public TransferJob {
 public:
  /// What a unit costs a CPU, in bytes of a mode that has one block of AES for 16 of them.
  virtual uint64_t cpu_cost() const { return unit_bytes(); }
  /// Makes the output zero, and tells the caller's statuses why.
  virtual void spoil(Status status) const = 0;

  /// By a CPU engine, all of it.
  virtual void run_on_cpu(const Engine& engine, WorkerThreads& threads) const;
  /// By a CPU engine, by the thread that calls.
  virtual void run_on_cpu(const Engine& engine, Piece piece) const = 0;
};

}  // namespace warpaes::core
