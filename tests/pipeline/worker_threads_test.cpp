// Threads that the system refuses at first.
#include "pipeline/worker_threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

namespace warpaes::core::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Lets new threads have stacks of so many bytes, which count as addresses and take no memory.
class StacksOf {
 public:
  explicit StacksOf(size_t bytes) {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~StacksOf() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  StacksOf(const StacksOf&) = delete;
  StacksOf& operator=(const StacksOf&) = delete;

 private:
  pthread_attr_t before_{};
};

/// Leaves the process so many bytes of addresses.
class AddressesLeft {
 public:
  explicit AddressesLeft(uint64_t bytes) {
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    const rlimit least{pages * 4096 + bytes, before_.rlim_max};
    setrlimit(RLIMIT_AS, &least);
  }
  ~AddressesLeft() { setrlimit(RLIMIT_AS, &before_); }
  AddressesLeft(const AddressesLeft&) = delete;
  AddressesLeft& operator=(const AddressesLeft&) = delete;

 private:
  rlimit before_{};
};

/// How many threads take part in a call whose pieces give all of them time to come.
size_t threads_of_a_call(WorkerThreads& workers) {
  std::set<std::thread::id> seen;
  std::mutex mutex;
  workers.share(64, [&](uint64_t) {
    std::this_thread::sleep_for(milliseconds(5));
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

/// Once a process was near a limit, its calls are slow only for as long as that is so.
TEST(WorkerThreads, ThoseThatTheSystemRefusedComeLater) {
  constexpr size_t kStack = size_t{256} << 20;
  const StacksOf large(kStack);
  WorkerThreads workers(4);
  {
    const AddressesLeft for_one_thread(kStack + kStack / 2);
    ASSERT_EQ(threads_of_a_call(workers), 2u);
  }
  const auto end = steady_clock::now() + std::chrono::seconds(10);
  size_t found = 0;
  while (found != 4 && steady_clock::now() < end) found = threads_of_a_call(workers);
  EXPECT_EQ(found, 4u);
}

}  // namespace
}  // namespace warpaes::core::testing
