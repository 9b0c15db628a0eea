#include "pipeline/host_speed.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "failure.hpp"
#include "modes/modes.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/span_job.hpp"

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
  const auto speed_of = [&](const Engine& engine, uint8_t* memory) {
    const auto key = engine.prepare(schedule, context.device());
    const SpanTask task{.work = [&](const Engine&, const SpanPart& part) {
      const CounterAt counter(kCounter.data(), part.at);
      ctr(engine, *key, {counter.block, part.input, part.output, part.bytes}, part.stream);
    }};
    return bytes_per_second([&] { run_span_by(engine, context, {memory, memory, kBytes, 16}, task); });
  };

  HostSpeed speed;
  const auto cpu_key = cpu.prepare(schedule, context.device());
  speed.one_thread = bytes_per_second(
      [&] { ctr(cpu, *cpu_key, {kCounter.data(), pageable.data(), pageable.data(), kBytes}, nullptr); });
  speed.all_threads = speed_of(cpu, pageable.data());
  try {
    const double pinned_speed = speed_of(gpu, pinned.data());
    speed.gpu_pageable = speed_of(gpu, pageable.data());
    speed.gpu_pinned = pinned_speed;
  } catch (const Failure&) {
    speed.gpu_pageable = speed.gpu_pinned = 0;
  }
  return speed;
}

}  // namespace warpaes::core
