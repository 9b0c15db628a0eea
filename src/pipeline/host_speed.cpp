#include "pipeline/host_speed.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/cpu_runs.hpp"
#include "pipeline/staged_runs.hpp"

namespace warpaes::core {
namespace {

/// Long enough that starting a copy (some 20 µs) does not count, short enough for a few milliseconds.
constexpr size_t kBytes = 8 << 20;
constexpr std::array<uint8_t, 16> kZeroKey{}, kCounter{};

/// The better of two runs, after one that takes the first-time costs.
template <class Run>
double bytes_per_second(const Run& run) {
  double best = 0;
  for (int i = 0; i < 3; i++) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::max(best, kBytes / seconds.count());
  }
  return best;
}

}  // namespace

bool HostSpeed::gpu_is_faster(const HostWork& work) const {
  const double cpu = std::min(static_cast<double>(work.shares) * one_thread, all_threads);
  return (work.pinned ? gpu_pinned : gpu_pageable) > cpu;
}

HostSpeed measure_host_speed(const Context& context, const Engine& gpu, const Engine& cpu) {
  const KeySchedule schedule(kZeroKey);
  const HostBuffer pinned(context, kBytes);
  std::vector<uint8_t> pageable(kBytes);
  const auto run_on = [](uint8_t* memory) { return CounterRun{kCounter.data(), memory, memory, kBytes}; };

  HostSpeed speed;
  const auto cpu_key = cpu.prepare(schedule, context.device());
  WorkerThreads one(1);
  speed.one_thread = bytes_per_second([&] { ctr_on_cpu(cpu, *cpu_key, one, run_on(pageable.data())); });
  speed.all_threads =
      bytes_per_second([&] { ctr_on_cpu(cpu, *cpu_key, context.state().threads, run_on(pageable.data())); });
  try {
    const auto gpu_key = gpu.prepare(schedule, context.device());
    const auto measure = [&](uint8_t* memory) {
      return bytes_per_second([&] {
        StagedProgress progress;
        ctr_staged(gpu, *gpu_key, context.state().staging, run_on(memory), progress);
      });
    };
    const double pinned_speed = measure(pinned.data());
    speed.gpu_pageable = measure(pageable.data());
    speed.gpu_pinned = pinned_speed;
  } catch (const Failure&) {
    speed.gpu_pageable = speed.gpu_pinned = 0;
  }
  return speed;
}

}  // namespace warpaes::core
