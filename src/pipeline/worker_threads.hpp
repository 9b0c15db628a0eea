// A few threads that wait for work to share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace warpaes::core {

class WorkerThreads {
 public:
  /// @param threads that work on one call, the caller's included; they start at the first call that
  ///        needs them
  explicit WorkerThreads(unsigned threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  unsigned threads() const { return threads_; }

  /// Calls work(0) … work(pieces - 1), each once, and returns when all are done. The caller takes part,
  /// so calls from many threads at once, from within `work` and after a fork all make progress. The
  /// first exception stops the pieces that have not begun, and is thrown here. The other threads have wiped
  /// their registers and stacks before this returns.
  void share(uint64_t pieces, const std::function<void(uint64_t)>& work);

 private:
  struct Job;
  struct Crew;

  const unsigned threads_;
  const unsigned generation_;  // fork_generation() of the process that has the other threads
  std::unique_ptr<Crew> crew_;
};

}  // namespace warpaes::core
