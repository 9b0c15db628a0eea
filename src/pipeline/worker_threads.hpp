// A few threads that wait for work to share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace warpaes {

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
  /// first exception stops the pieces that have not begun, and is thrown here.
  void share(uint64_t pieces, const std::function<void(uint64_t)>& work);

 private:
  struct Job;

  void start();
  void serve();

  unsigned threads_;
  int process_;  // threads do not survive a fork
  std::mutex mutex_;
  std::condition_variable work_there_, job_left_;
  std::list<Job*> jobs_;
  bool ending_ = false;
  std::unique_ptr<std::vector<std::thread>> helpers_;
};

}  // namespace warpaes
