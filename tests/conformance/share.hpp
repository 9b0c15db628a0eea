// Divides a run among several cores: each of several processes takes every so many-th case. They are
// processes and not threads because a CUDA context belongs to a process, and kernel launches are counted in
// it.
#pragma once

#include <cstdint>
#include <functional>

#include "scorecard.hpp"

namespace warpaes::core::conformance {

/// Which cases are this process' own.
class Share {
 public:
  Share() = default;
  Share(unsigned index, unsigned count) : index_(index), count_(count) {}

  /// Asked once for each case, in the same order by all processes: exactly one of them says yes.
  bool takes_next() { return next_++ % count_ == index_; }
  /// What is not of a case is for one of them to tell.
  bool is_first() const { return index_ == 0; }

 private:
  unsigned index_ = 0, count_ = 1;
  uint64_t next_ = 0;
};

/// Runs each share in a process of its own, and adds up their scores. To be called before CUDA is used: a
/// CUDA context does not survive fork(). Throws std::runtime_error if a process did not come to its end.
Scorecard in_processes(unsigned count, const std::function<Scorecard(Share)>& run);

}  // namespace warpaes::core::conformance
