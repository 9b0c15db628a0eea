// A fiber: a stack of its own, on which code can stop and go on later.
//
// swapcontext() would do the same, but it asks the kernel for the signal mask each time, which takes four
// fifths of an emulated grid's time. It is used only on processors for which there is nothing better here.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace warpaes::core::emulated {

class Fiber {
 public:
  /// The next switch to this fiber calls entry(argument) on the stack. The entry must not return.
  void start(void* stack, size_t bytes, void (*entry)(void*), void* argument);

  /// Stops this code, which `here` then stands for, and goes on where `there` has stopped.
  static void switch_to(Fiber& here, Fiber& there);

 private:
#if defined(__x86_64__)
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_;
#endif
};

}  // namespace warpaes::core::emulated
