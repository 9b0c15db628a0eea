// Reading, working and writing at the same time, each on another piece of the data.
#pragma once

#include <cstddef>
#include <functional>

namespace warpaes::core::cli {

/// What is done with each piece, in this order. A piece is known by the slot that holds it, from 0 on.
struct Stages {
  std::function<bool(size_t slot)> read;  // false: this piece is the last one
  std::function<void(size_t slot)> work;  // on the thread that calls
  std::function<void(size_t slot)> write;
};

/// Runs all pieces through the stages, each of which has one piece at a time, in order. The first failure, or
/// a signal, ends the other stages where they next wait for a file or for each other, and is thrown.
void run_overlapped(size_t slots, const Stages& stages);

}  // namespace warpaes::core::cli
