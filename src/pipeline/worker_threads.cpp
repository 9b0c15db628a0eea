#include "pipeline/worker_threads.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "failure.hpp"
#include "process/cancellation.hpp"
#include "process/fork_locks.hpp"
#include "process/residue.hpp"

namespace warpaes::core {
namespace {

/// A system that has just refused a thread is not asked for one by every call: that takes as long as the work
/// of a short one.
constexpr std::chrono::milliseconds kBetweenStarts{100};

/// Signals that a thread causes itself, and the clock of profilers.
constexpr int kOwnSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF};

/// Threads that are made while it lives take no signals that are sent to the process: those are for the
/// threads of the program, one of which may wait for them.
class SignalsAreForOthers {
 public:
  SignalsAreForOthers() {
    sigset_t all;
    sigfillset(&all);
    for (const int own : kOwnSignals) sigdelset(&all, own);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsAreForOthers() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsAreForOthers(const SignalsAreForOthers&) = delete;
  SignalsAreForOthers& operator=(const SignalsAreForOthers&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

/// One call of share(), on its caller's stack. `helpers` is guarded by the crew's mutex.
struct WorkerThreads::Job {
  const std::function<void(uint64_t)>& work;
  const uint64_t pieces;
  std::atomic<uint64_t> next = 0;
  unsigned helpers = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;

  Job(const std::function<void(uint64_t)>& job_work, uint64_t job_pieces)
      : work(job_work), pieces(job_pieces) {}

  bool has_more() const { return next < pieces; }

  /// In the child of a fork by a piece's own work, no other piece is begun.
  void run() noexcept {
    const unsigned generation = fork_generation();
    try {
      for (uint64_t piece = next++; piece < pieces; piece = next++) {
        work(piece);
        if (fork_generation() != generation) return;
      }
    } catch (...) {
      if (fork_generation() != generation) return;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  }
};

/// The other threads, and what they share with those that call.
struct WorkerThreads::Crew {
  const unsigned generation = fork_generation();
  std::mutex mutex;
  std::condition_variable work_there, job_left;
  std::list<Job*> jobs;
  bool ending = false;
  std::vector<std::thread> threads;
  std::chrono::steady_clock::time_point next_start = {};  // when lacking threads are asked for again

  void start(unsigned wanted);
  void serve();
  void end();
};

WorkerThreads::WorkerThreads(unsigned threads)
    : threads_(std::max(threads, 1u)), generation_(fork_generation()), crew_(std::make_unique<Crew>()) {}

/// In a forked child there is nobody to join. Even the locks are left as they are, not destroyed: threads
/// that exist no longer may hold them or wait at them, and destroying a condition variable waits for its
/// waiters.
WorkerThreads::~WorkerThreads() {
  if (fork_generation() == generation_) {
    crew_->end();
  } else {
    static_cast<void>(crew_.release());
  }
}

void WorkerThreads::Crew::end() {
  {
    const std::lock_guard lock(mutex);
    ending = true;
  }
  work_there.notify_all();
  for (std::thread& thread : threads) thread.join();
}

/// The caller holds the mutex. Fewer threads than wished for are no failure, as later calls start the others.
void WorkerThreads::Crew::start(unsigned wanted) {
  if (threads.size() == wanted || std::chrono::steady_clock::now() < next_start) return;
  threads.reserve(wanted);
  const SignalsAreForOthers while_threads_are_made;
  try {
    while (threads.size() < wanted) threads.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    next_start = std::chrono::steady_clock::now() + kBetweenStarts;
  }
}

void WorkerThreads::Crew::serve() {
  std::unique_lock lock(mutex);
  for (;;) {
    const auto job = std::find_if(jobs.begin(), jobs.end(), [](const Job* each) { return each->has_more(); });
    if (job == jobs.end()) {
      if (ending) return;
      work_there.wait(lock);
      continue;
    }
    Job& taken = **job;
    taken.helpers++;
    lock.unlock();
    taken.run();
    // This thread is then all that the child of a fork has, and nobody is there to whom the call could
    // return. It takes no signals, and who waits for the child would wait for ever.
    if (fork_generation() != generation) _exit(EXIT_FAILURE);
    wipe_residue(StackDepth::own_thread);
    lock.lock();
    if (--taken.helpers == 0) job_left.notify_all();
  }
}

void WorkerThreads::share(uint64_t pieces, const std::function<void(uint64_t)>& work) {
  if (pieces < 2 || threads_ == 1 || fork_generation() != generation_) {
    for (uint64_t piece = 0; piece < pieces; piece++) work(piece);
    return;
  }
  const NotCancelled not_cancelled;  // as the others work on this stack
  Job job(work, pieces);
  std::list<Job*>::iterator place;
  {
    const std::lock_guard lock(crew_->mutex);
    crew_->start(threads_ - 1);
    place = crew_->jobs.insert(crew_->jobs.end(), &job);
  }
  for (uint64_t i = 1; i < std::min<uint64_t>(pieces, threads_); i++) crew_->work_there.notify_one();
  job.run();
  // In the child of a fork by a piece's own work, nobody does the pieces that other threads had taken, nor
  // releases what they held.
  if (fork_generation() != generation_) {
    throw Failure(WARPAES_ERROR_FORKED, "the process has forked during the call, which the child cannot end");
  }
  {
    std::unique_lock lock(crew_->mutex);
    crew_->jobs.erase(place);
    crew_->job_left.wait(lock, [&] { return job.helpers == 0; });
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace warpaes::core
