#include "pipeline/worker_threads.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>

namespace warpaes {

/// One call of share(), on its caller's stack. `helpers` is guarded by the mutex.
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

  void run() noexcept {
    try {
      for (uint64_t piece = next++; piece < pieces; piece = next++) work(piece);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  }
};

WorkerThreads::WorkerThreads(unsigned threads)
    : threads_(std::max(threads, 1u)),
      process_(getpid()),
      helpers_(std::make_unique<std::vector<std::thread>>()) {}

WorkerThreads::~WorkerThreads() {
  if (getpid() != process_) {
    static_cast<void>(helpers_.release());  // nobody to join
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_there_.notify_all();
  for (std::thread& helper : *helpers_) helper.join();
}

/// With the mutex held. Fewer threads than wished for are no failure.
void WorkerThreads::start() {
  if (!helpers_->empty()) return;
  helpers_->reserve(threads_ - 1);
  try {
    while (helpers_->size() < threads_ - 1) helpers_->emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
  }
}

void WorkerThreads::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto job =
        std::find_if(jobs_.begin(), jobs_.end(), [](const Job* each) { return each->has_more(); });
    if (job == jobs_.end()) {
      if (ending_) return;
      work_there_.wait(lock);
      continue;
    }
    Job& taken = **job;
    taken.helpers++;
    lock.unlock();
    taken.run();
    lock.lock();
    if (--taken.helpers == 0) job_left_.notify_all();
  }
}

void WorkerThreads::share(uint64_t pieces, const std::function<void(uint64_t)>& work) {
  if (pieces < 2 || threads_ == 1 || getpid() != process_) {
    for (uint64_t piece = 0; piece < pieces; piece++) work(piece);
    return;
  }
  Job job(work, pieces);
  std::list<Job*>::iterator place;
  {
    const std::lock_guard lock(mutex_);
    start();
    place = jobs_.insert(jobs_.end(), &job);
  }
  for (uint64_t i = 1; i < std::min<uint64_t>(pieces, threads_); i++) work_there_.notify_one();
  job.run();
  {
    std::unique_lock lock(mutex_);
    jobs_.erase(place);
    job_left_.wait(lock, [&] { return job.helpers == 0; });
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace warpaes
