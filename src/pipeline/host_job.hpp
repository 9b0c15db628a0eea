// A TransferJob is work that goes through a GPU in pieces. A HostJob is such work that a CPU can do as well:
// in a call on host memory, the GPU's pipelines take large pieces of it and the CPU's threads small ones, in
// any order.
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

/// Which step overwrites a piece's input, where send() has read it. Only work in place has such a step. A
/// piece that has come so far when something fails, and not to its end, cannot be done by anybody else.
enum class Overwrites { never, in_fetch, in_finish };

/// send() puts its work on the slot's stream `in`, work() on `work` and fetch() on `out`. The pipeline's
/// events see to it that a piece passes through them in this order.
class TransferJob {
 public:
  virtual ~TransferJob() = default;

  virtual uint64_t units() const = 0;
  /// The payload of a unit, at least 1 byte. If units differ in length, it is their average.
  virtual uint64_t unit_bytes() const = 0;

  /// The payload that a piece should have, by the context's sizes.
  virtual uint64_t piece_bytes(const TransferSizes& sizes) const = 0;
  /// The memory that a slot must have for pieces of so many units, wherever they begin.
  virtual SlotNeed need(const Engine& engine, uint64_t units) const = 0;
  /// How many units of this piece fit into such a slot, at least 1.
  virtual uint64_t fitting(const Engine&, Piece piece, SlotNeed) const { return piece.count; }
  virtual void send(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  virtual void work(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  virtual void fetch(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  /// Does what the host has to do with a piece that has been fetched.
  virtual void finish(const Engine& engine, const Slot& slot, Piece piece) const = 0;
  virtual Overwrites overwrites_input() const = 0;
};

class HostJob : public TransferJob {
 public:
  /// The time that a unit costs a CPU, told as that many bytes of a mode with one AES block for 16 bytes.
  virtual uint64_t cpu_cost() const { return unit_bytes(); }
  /// Makes the output zero, and tells the caller's statuses why.
  virtual void spoil(Status status) const = 0;

  /// Does all of it by a CPU engine.
  virtual void run_on_cpu(const Engine& engine, WorkerThreads& threads) const;
  /// Does a piece by a CPU engine in the thread that calls.
  virtual void run_on_cpu(const Engine& engine, Piece piece) const = 0;
};

}  // namespace warpaes::core
