// Whether the GPU should take part in a call on host memory. That is measured where the program runs: a GPU
// behind a slow bus is no help to many cores, and much to few.
#pragma once

#include <array>
#include <mutex>

#include "pipeline/context.hpp"

namespace warpaes::core {

/// Of one kind of work, in bytes a second.
struct HostSpeed {
  double one_thread = 0, all_threads = 0;             // the CPU alone
  double with_gpu_pageable = 0, with_gpu_pinned = 0;  // the GPUs and all threads; 0: the GPUs failed

  bool gpu_takes_part(const HostWork& work) const;
};

/// Does what a call would do with some pieces of memory, each way, in some hundredths of a second. Of a
/// context that is not forced.
HostSpeed measure_host_speed(const Context& context, WorkKind kind);

/// The speeds of a context: those that `warpaes calibrate` has stored (speed_store.hpp), or else each kind
/// measured when it is first asked for.
class HostSpeeds {
 public:
  const HostSpeed& of(const Context& context, WorkKind kind);
  /// In place of a measurement.
  void set(WorkKind kind, const HostSpeed& speed);

 private:
  struct Known {
    std::once_flag once;
    HostSpeed speed;
  };
  void load(const Context& context);

  std::once_flag loaded_;
  std::array<Known, kWorkKinds> known_;
};

}  // namespace warpaes::core
