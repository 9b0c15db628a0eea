// Python's lock (the GIL): given back while the library works, and taken again.
#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace warpaes::python {

/// Python before 3.14 ends a daemon thread that asks for the GIL while the interpreter shuts down, by
/// pthread_exit(): the stack is unwound as by an exception that nobody may stop. On the way are destructors
/// that would use Python without its lock, and functions that let no exception through, which abort the
/// process. So such a thread sleeps until the process has ended, as it does in Python 3.14 by itself.
using ThreadEnds = abi::__forced_unwind;

[[noreturn]] inline void sleep_until_the_process_ends() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

template <class Take>
auto taken_or_never(const Take& take) noexcept {
  try {
    return take();
  } catch (const ThreadEnds&) {
    sleep_until_the_process_ends();
  }
}

/// Other threads of Python go on while this exists.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  WithoutGil(WithoutGil&&) = delete;
  WithoutGil& operator=(WithoutGil&&) = delete;
  ~WithoutGil() {
    taken_or_never([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// For threads that Python may not know: they may use it while this exists.
class WithGil {
 public:
  WithGil() : state_(taken_or_never([] { return PyGILState_Ensure(); })) {}
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  WithGil(WithGil&&) = delete;
  WithGil& operator=(WithGil&&) = delete;
  ~WithGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace warpaes::python
