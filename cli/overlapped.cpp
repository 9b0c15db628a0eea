#include "overlapped.hpp"

#include <sys/eventfd.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#include "file_descriptor.hpp"
#include "interrupt.hpp"

namespace warpaes::core::cli {
namespace {

enum Stage : size_t { reading, working, writing };

class Overlapped {
 public:
  explicit Overlapped(size_t slots) : slots_(slots), failed_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!failed_) throw_errno("making an event");
  }

  void run(const Stages& stages) {
    {
      const std::jthread reader([&] { take_part(reading, stages.read); });
      const JoinAfterFailure join(*this);  // as when there are no more threads to be had
      const std::jthread writer([&] { take_part(writing, always(stages.write)); });
      take_part(working, always(stages.work));
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct JoinAfterFailure {
    explicit JoinAfterFailure(Overlapped& of_run) : run(of_run), exceptions(std::uncaught_exceptions()) {}
    ~JoinAfterFailure() {
      if (std::uncaught_exceptions() > exceptions) run.fail(std::make_exception_ptr(Interrupted()));
    }
    JoinAfterFailure(const JoinAfterFailure&) = delete;
    JoinAfterFailure& operator=(const JoinAfterFailure&) = delete;
    Overlapped& run;
    const int exceptions;
  };

  static std::function<bool(size_t)> always(const std::function<void(size_t)>& act) {
    return [&act](size_t slot) {
      act(slot);
      return true;
    };
  }

  void take_part(Stage stage, const std::function<bool(size_t)>& act) {
    const WaitUnless waits(failed_.get());
    try {
      for (uint64_t piece = 0; may_begin(stage, piece); piece++) {
        const bool more = act(piece % slots_);
        const std::scoped_lock lock(mutex_);
        done_[stage]++;
        if (!more) last_is_read_ = true;
        moved_.notify_all();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Waits for the piece, or, to read, for an empty slot. False: there is no such piece, or there was a
  /// failure.
  bool may_begin(Stage stage, uint64_t piece) {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] {
      return stage == reading ? !last_is_read_ && piece < done_[writing] + slots_ : piece < done_[stage - 1];
    };
    const auto is_over = [&] { return last_is_read_ && piece >= done_[reading]; };
    moved_.wait(lock, [&] { return failure_ || is_there() || is_over(); });
    return !failure_ && is_there();
  }

  void fail(const std::exception_ptr& failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = failure;
    eventfd_write(failed_.get(), 1);
    moved_.notify_all();
  }

  const uint64_t slots_;
  const FileDescriptor failed_;  // readable then, so that nobody waits for a file any longer
  std::mutex mutex_;
  std::condition_variable moved_;
  std::array<uint64_t, 3> done_ = {};  // pieces, by stage
  bool last_is_read_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void run_overlapped(size_t slots, const Stages& stages) { Overlapped(slots).run(stages); }

}  // namespace warpaes::core::cli
