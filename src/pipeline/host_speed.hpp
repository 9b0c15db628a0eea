// Decides whether the GPU should take part in a call on host memory. That is measured where the program runs:
// a GPU behind a slow bus is no help to many cores, and a great help to few.
#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <optional>

#include "pipeline/context.hpp"
#include "pipeline/transfer_sizes.hpp"

namespace warpaes::core {

/// The size of a call that can be the GPU's, as one of four classes: 0 is shorter than 4 times least_for_gpu,
/// 1 is shorter than 16 times that, and so on. Short calls lie in the CPU's caches, and are over before a GPU
/// is at full speed; long calls wait for the CPU's memory.
using CallSize = size_t;
constexpr size_t kCallSizes = 4;
CallSize call_size(const TransferSizes& sizes, uint64_t bytes);
/// The shortest call of this size.
uint64_t least_bytes(const TransferSizes& sizes, CallSize size);

/// How fast calls of one kind and size are, in bytes a second.
struct HostSpeed {
  double one_thread = 0, all_threads = 0;             // by the CPU alone
  double with_gpu_pageable = 0, with_gpu_pinned = 0;  // by the GPUs and all threads; 0: the GPUs failed

  bool gpu_takes_part(const HostWork& work) const;
};

using AllHostSpeeds = std::array<std::array<HostSpeed, kCallSizes>, kWorkKinds>;

/// Does such a call in each way and takes the time. This takes some hundredths of a second, or some tenths
/// for the longest calls. The context must not be forced. Throws DEVICE_MEMORY or HOST_MEMORY if there is no
/// memory to measure with, which says nothing about the GPU.
HostSpeed measure_host_speed(const Context& context, WorkKind kind, CallSize size);

/// The speeds of a context: those that a calibration has stored (speed_store.hpp), or else those that it has
/// measured, each when it is first asked for.
class HostSpeeds {
 public:
  /// If it cannot be measured now, the speed is one with which the CPU works alone.
  const HostSpeed& of(const Context& context, WorkKind kind, CallSize size);
  /// Sets the speed of calls of every size in place of a measurement, for tests.
  void set(WorkKind kind, const HostSpeed& speed);

 private:
  // Its lock is none of process/fork_locks.hpp: a child of a process that has used a GPU leaves GPUs alone,
  // so it asks for no speed (Context::engine_for).
  struct Known {
    std::mutex mutex;                // of the members below, held while somebody measures
    std::optional<HostSpeed> speed;  // stays what it is once it is there
    std::chrono::steady_clock::time_point next_attempt{};
  };
  void load(const Context& context);

  std::once_flag loaded_;
  std::array<std::array<Known, kCallSizes>, kWorkKinds> known_;
};

}  // namespace warpaes::core
