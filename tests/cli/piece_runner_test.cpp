// Pieces on several threads: their order, their end, and what a failure leaves undone.
#include "piece_runner.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "file_descriptor.hpp"

namespace warpaes::cli {
namespace {

constexpr uint64_t kPieces = 500;
constexpr size_t kWorkers = 5;

/// What the stages did.
class Log {
 public:
  void add(uint64_t piece) {
    const std::scoped_lock lock(mutex_);
    pieces_.push_back(piece);
  }
  std::vector<uint64_t> sorted() const {
    std::vector<uint64_t> all = pieces_;
    std::ranges::sort(all);
    return all;
  }
  const std::vector<uint64_t>& in_order() const { return pieces_; }

 private:
  std::mutex mutex_;
  std::vector<uint64_t> pieces_;
};

std::vector<uint64_t> first_numbers(uint64_t count) {
  std::vector<uint64_t> numbers(count);
  for (uint64_t i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

TEST(PieceRunner, KeepsTheOrderOfStagesThatHaveOne) {
  Log read, worked, written;
  std::array<uint64_t, kWorkers> memory{};
  run_pieces({.workers = kWorkers, .in_order = {.work = false}},
             {.read =
                  [&](PieceAt at) {
                    read.add(memory.at(at.worker) = at.number);
                    return at.number + 1 < kPieces;
                  },
              .work = [&](PieceAt at) { worked.add(memory.at(at.worker)); },
              .write = [&](PieceAt at) { written.add(memory.at(at.worker)); }});
  EXPECT_EQ(read.in_order(), first_numbers(kPieces));
  EXPECT_EQ(worked.sorted(), first_numbers(kPieces));
  EXPECT_EQ(written.in_order(), first_numbers(kPieces));
}

TEST(PieceRunner, TakesEachPieceOnceInAnyOrder) {
  for (const uint64_t pieces : {uint64_t{0}, uint64_t{1}, uint64_t{3}, kPieces}) {
    Log read, written;
    const auto note = [&](PieceAt at) { return read.add(at.number), true; };
    run_pieces({.workers = kWorkers, .in_order = {false, false, false}, .pieces = pieces},
               {.read = note, .work = [](PieceAt) {}, .write = [&](PieceAt at) { written.add(at.number); }});
    EXPECT_EQ(read.sorted(), first_numbers(pieces));
    EXPECT_EQ(written.sorted(), first_numbers(pieces));
  }
}

TEST(PieceRunner, ThrowsTheFailureOfTheFirstPieceAndFinishesThoseBeforeIt) {
  for (const bool in_order : {true, false}) {
    Log written;
    const auto work = [](PieceAt at) {
      if (at.number == 100) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (at.number >= 100) throw std::runtime_error(std::to_string(at.number));
    };
    try {
      run_pieces({.workers = kWorkers, .in_order = {in_order, false, in_order}, .pieces = kPieces},
                 {.read = [](PieceAt) { return true; },
                  .work = work,
                  .write = [&](PieceAt at) { written.add(at.number); }});
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "100");
    }
    EXPECT_EQ(written.sorted(), first_numbers(100));
  }
}

TEST(PieceRunner, AFailureEndsTheWaitForInput) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const FileDescriptor from(pipe_ends[0]), to(pipe_ends[1]);  // into which nobody writes
  const auto read = [&](PieceAt at) {
    std::array<uint8_t, 1> byte{};
    return at.number == 0 || read_fully(from.get(), byte, "a pipe") == 1;
  };
  EXPECT_THROW(run_pieces({.workers = 3}, {.read = read,
                                           .work = [](PieceAt) {},
                                           .write = [](PieceAt) { throw std::runtime_error("full"); }}),
               std::runtime_error);
}

}  // namespace
}  // namespace warpaes::cli
