#include "piece_runner.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "file_descriptor.hpp"
#include "interrupt.hpp"

namespace warpaes::cli {
namespace {

/// Lets pieces through a stage one after the other.
struct Turns {
  Turns(bool are_kept, size_t workers) : kept(are_kept), changed(workers) {}

  const bool kept;
  uint64_t next = 0;
  std::vector<std::condition_variable> changed;  // a piece waits at the one of its number modulo workers
};

class PieceRunner {
 public:
  PieceRunner(const PieceRun& run, const Stages& stages)
      : workers_(
            std::clamp<uint64_t>(run.workers, 1, std::max<uint64_t>(run.pieces.value_or(UINT64_MAX), 1))),
        stages_(stages),
        reading_(run.in_order.read, workers_),
        working_(run.in_order.work, workers_),
        writing_(run.in_order.write, workers_),
        end_(run.pieces.value_or(UINT64_MAX)),
        others_(workers_) {
    if (workers_ == 1) return;
    failed_ = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!failed_) throw_errno("making an event");
  }

  void run() {
    take_pieces(0);
    for (std::thread& other : std::span(others_).subspan(1)) {
      if (!other.joinable()) break;  // nor are there any behind it
      other.join();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take_pieces(size_t worker) {
    while (finish({take_number(), worker})) {
    }
  }

  uint64_t take_number() {
    const std::scoped_lock lock(mutex_);
    return next_++;
  }

  /// @return false: there are no more pieces for this worker
  bool finish(PieceAt piece) {
    try {
      return pass(reading_, piece, [&] { read(piece); }) &&
             pass(working_, piece, [&] { stages_.work(piece); }) &&
             pass(writing_, piece, [&] { stages_.write(piece); });
    } catch (...) {
      fail(piece.number, std::current_exception());
      return false;
    }
  }

  void read(PieceAt piece) {
    const WaitUnless waits(failed_.get());
    const bool more = stages_.read(piece);
    const std::scoped_lock lock(mutex_);
    if (!more) shorten(piece.number + 1);
    if (piece.number + 1 < end_ && piece.worker + 1 < workers_) start(piece.worker + 1);
  }

  /// Each worker starts the next one, once there is something for it to do.
  void start(size_t worker) {
    std::thread& other = others_[worker];
    if (other.joinable()) return;
    try {
      other = std::thread([this, worker] { take_pieces(worker); });
    } catch (const std::system_error&) {
      // No more threads are to be had: those that there are do all of it.
    }
  }

  template <class Act>
  bool pass(Turns& turns, PieceAt piece, const Act& act) {
    if (!may_begin(turns, piece.number)) return false;
    act();
    if (!turns.kept) return true;
    const std::scoped_lock lock(mutex_);
    turns.next++;
    turns.changed[turns.next % workers_].notify_all();
    return true;
  }

  /// Waits for the piece's turn. False: there is no such piece, or there was a failure in one before it.
  bool may_begin(Turns& turns, uint64_t piece) {
    std::unique_lock lock(mutex_);
    const auto is_its_turn = [&] { return piece >= end_ || !turns.kept || turns.next == piece; };
    turns.changed[piece % workers_].wait(lock, is_its_turn);
    return piece < end_;
  }

  void fail(uint64_t piece, const std::exception_ptr& failure) {
    const std::scoped_lock lock(mutex_);
    if (piece >= end_) return;  // because of another failure
    failure_ = failure;
    shorten(piece);
    if (failed_) eventfd_write(failed_.get(), 1);
  }

  void shorten(uint64_t end) {
    end_ = std::min(end_, end);
    for (Turns* turns : {&reading_, &working_, &writing_}) {
      for (std::condition_variable& changed : turns->changed) changed.notify_all();
    }
  }

  const size_t workers_;
  const Stages& stages_;
  FileDescriptor failed_;  // readable after a failure, so that nobody waits for input any longer
  std::mutex mutex_;
  Turns reading_, working_, writing_;
  uint64_t next_ = 0, end_;
  std::vector<std::thread> others_;  // by worker; the first one is the thread that called
  std::exception_ptr failure_;
};

}  // namespace

void run_pieces(const PieceRun& run, const Stages& stages) { PieceRunner(run, stages).run(); }

}  // namespace warpaes::cli
