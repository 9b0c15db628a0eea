// Whether the GPU should take part in a call on host memory. That is measured where the program runs: a GPU
// behind a slow bus is no help to many cores, and much to few.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

#include "pipeline/context.hpp"
#include "pipeline/transfer_sizes.hpp"

namespace warpaes::core {

/// Calls that can be the GPU's, by their length: a call of size 0 is shorter than 4 times least_for_gpu, one
/// of size 1 shorter than 16 times, and so on. Short ones lie in the CPU's caches, and are over before a GPU
/// is at full speed; long ones wait for the CPU's memory.
using CallSize = size_t;
constexpr size_t kCallSizes = 4;
CallSize call_size(const TransferSizes& sizes, uint64_t bytes);
/// The shortest call of this size.
uint64_t least_bytes(const TransferSizes& sizes, CallSize size);

/// Of one kind of work and one size of calls, in bytes a second.
struct HostSpeed {
  double one_thread = 0, all_threads = 0;             // the CPU alone
  double with_gpu_pageable = 0, with_gpu_pinned = 0;  // the GPUs and all threads; 0: the GPUs failed

  bool gpu_takes_part(const HostWork& work) const;
};

using AllHostSpeeds = std::array<std::array<HostSpeed, kCallSizes>, kWorkKinds>;

/// Does what such a call would do, each way, in some hundredths of a second; for the longest calls, some
/// tenths. Of a context that is not forced.
HostSpeed measure_host_speed(const Context& context, WorkKind kind, CallSize size);

/// The speeds of a context: those that a calibration has stored (speed_store.hpp), or else each
/// measured when it is first asked for.
class HostSpeeds {
 public:
  const HostSpeed& of(const Context& context, WorkKind kind, CallSize size);
  /// In place of a measurement, for calls of every size.
  void set(WorkKind kind, const HostSpeed& speed);

 private:
  struct Known {
    std::once_flag once;
    HostSpeed speed;
    std::atomic<std::chrono::steady_clock::time_point> next_attempt{};
  };
  void load(const Context& context);

  std::once_flag loaded_;
  std::array<std::array<Known, kCallSizes>, kWorkKinds> known_;
};

}  // namespace warpaes::core
