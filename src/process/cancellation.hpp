// A call of the library that has begun comes to its end.
#pragma once

#include <pthread.h>

namespace warpaes::core {

/// While it lives, pthread_cancel() of this thread waits. Cancelling a thread unwinds its stack from wherever
/// it waits, by an exception that nobody may catch: through functions that throw nothing, and while other
/// threads work on what lies there.
class NotCancelled {
 public:
  NotCancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace warpaes::core
