// Reading, working and writing at the same time, each on another piece of the data. Every worker takes a
// piece through all stages, so that its bytes stay in the cache of one core; stages that have to keep an
// order let the pieces through one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace warpaes::cli {

/// A piece of the data: its number, counted from 0, and the worker that has it, whose memory is its own until
/// it has been through all stages.
struct PieceAt {
  uint64_t number;
  size_t worker;
};

/// What is done with each piece, in this order.
struct Stages {
  std::function<bool(PieceAt)> read;  // false: this piece is the last one
  std::function<void(PieceAt)> work;
  std::function<void(PieceAt)> write;
};

/// The stages that have one piece at a time, in the order of their numbers.
struct InOrder {
  bool read = true, work = true, write = true;
};

struct PieceRun {
  size_t workers;
  InOrder in_order = {};
  std::optional<uint64_t> pieces = {};  // how many there are; needed if they are not read in order
};

/// Takes all pieces through the stages: on the thread that calls and on others, as far as there are any to be
/// had. A failure ends the work on all pieces behind it, also where it waits for a file, and those before it
/// are finished; of several failures, the one of the first piece is thrown.
void run_pieces(const PieceRun& run, const Stages& stages);

}  // namespace warpaes::cli
