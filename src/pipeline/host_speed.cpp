#include "pipeline/host_speed.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <vector>

#include "failure.hpp"
#include "modes/modes.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/gcm_shared.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/span_job.hpp"
#include "pipeline/speed_store.hpp"
#include "pipeline/staged_batch.hpp"
#include "process/cancellation.hpp"

namespace warpaes::core {
namespace {

/// Of a call's size to the next one.
constexpr uint64_t kTimes = 4;
/// One thread's run is shorter, as its speed does not depend on that.
constexpr uint64_t kOneThreadBytes = 4 << 20;
/// Of a message in modes that chain.
constexpr uint64_t kMessageBytes = 4096;
constexpr std::array<uint8_t, 16> kZeroKey{}, kCounter{};

/// Between the shortest call of this size and the next size's.
uint64_t sample_bytes(const TransferSizes& sizes, CallSize size) {
  return least_bytes(sizes, size) * (size + 1 == kCallSizes ? 1 : 2);
}

/// The best of two runs, of more if they are short, after one that takes the first-time costs.
template <class Run>
double bytes_per_second(uint64_t bytes, const Run& run) {
  constexpr uint64_t kEnough = 256 << 20, kMostRuns = 8;
  const uint64_t runs = std::clamp<uint64_t>(kEnough / bytes, 2, kMostRuns);
  double best = 0;
  for (uint64_t i = 0; i <= runs; i++) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::max(best, static_cast<double>(bytes) / seconds.count());
  }
  return best;
}

/// One kind of work, in place, by whatever engines it is told to take.
class Sample {
 public:
  Sample(const Context& context, WorkKind kind) : context_(context), kind_(kind), key_(context, kZeroKey) {}

  void run(const Workers& workers, uint8_t* memory, uint64_t bytes) const {
    switch (kind_) {
      case WorkKind::stream:
        return run_span_by(workers, context_, {memory, memory, bytes, 16},
                           {.work = [this](auto& engine, auto& part) { encrypt(engine, part); }});
      case WorkKind::gcm:
        return gcm_shared_by(workers, key_, memory, bytes);
      case WorkKind::chained:
        return run_batch_by(workers, {context_, &key_, nullptr, nullptr}, messages_in(memory, bytes));
    }
  }

 private:
  void encrypt(const Engine& engine, const SpanPart& part) const {
    const CounterAt counter(kCounter.data(), part.at);
    ctr(engine, key_.prepared(engine, part.device), {counter.block, part.input, part.output, part.bytes},
        part.stream);
  }

  static Batch messages_in(uint8_t* memory, uint64_t bytes) {
    return {.mode = WARPAES_MODE_CBC,
            .messages = bytes / kMessageBytes,
            .bytes = kMessageBytes,
            .input = memory,
            .input_stride = kMessageBytes,
            .output = memory,
            .output_stride = kMessageBytes,
            .nonces = kCounter.data(),
            .nonce_bytes = 16};
  }

  const Context& context_;
  const WorkKind kind_;
  const Key key_;
};

}  // namespace

CallSize call_size(const TransferSizes& sizes, uint64_t bytes) {
  CallSize size = 0;
  while (size + 1 < kCallSizes && bytes >= least_bytes(sizes, size + 1)) size++;
  return size;
}

uint64_t least_bytes(const TransferSizes& sizes, CallSize size) {
  uint64_t bytes = sizes.least_for_gpu;
  for (; size > 0; size--) bytes *= kTimes;
  return bytes;
}

bool HostSpeed::gpu_takes_part(const HostWork& work) const {
  const double cpu = std::min(static_cast<double>(work.shares) * one_thread, all_threads);
  return (work.pinned ? with_gpu_pinned : with_gpu_pageable) > cpu;
}

HostSpeed measure_host_speed(const Context& context, WorkKind kind, CallSize size) {
  Context::State& state = context.state();
  const Engine *const cpu = state.engine_on(Memory::host), *const gpu = state.engine_on(Memory::device);
  const uint64_t bytes = sample_bytes(state.sizes, size);
  const HostBuffer pinned(context, bytes);
  std::vector<uint8_t> pageable(bytes);
  const Sample sample(context, kind);
  const auto speed_of = [&](const Workers& workers, uint8_t* memory, uint64_t length) {
    return bytes_per_second(length, [&] { sample.run(workers, memory, length); });
  };

  HostSpeed speed;
  WorkerThreads one(1);
  speed.one_thread = speed_of({nullptr, cpu, one}, pageable.data(), std::min(bytes, kOneThreadBytes));
  speed.all_threads = speed_of({nullptr, cpu, state.threads}, pageable.data(), bytes);
  if (gpu == nullptr) return speed;
  try {
    const Workers together{gpu, cpu, state.threads};
    const double pinned_speed = speed_of(together, pinned.data(), bytes);
    speed.with_gpu_pageable = speed_of(together, pageable.data(), bytes);
    speed.with_gpu_pinned = pinned_speed;
  } catch (const Failure&) {  // a GPU that fails takes no part
  }
  return speed;
}

const HostSpeed& HostSpeeds::of(const Context& context, WorkKind kind, CallSize size) {
  const NotCancelled not_cancelled;  // files are read
  std::call_once(loaded_, [&] { load(context); });
  Known& known = known_[static_cast<size_t>(kind)][size];
  std::call_once(known.once, [&] {
    try {
      known.speed = measure_host_speed(context, kind, size);
    } catch (const std::exception&) {  // no memory to measure with: the CPU works as it is
    }
  });
  return known.speed;
}

void HostSpeeds::load(const Context& context) {
  try {
    const std::optional<AllHostSpeeds> speeds = load_speeds(context);
    for (size_t kind = 0; speeds && kind < kWorkKinds; kind++) {
      for (CallSize size = 0; size < kCallSizes; size++) {
        Known& known = known_[kind][size];
        // Not in place of what was set already.
        std::call_once(known.once, [&] { known.speed = (*speeds)[kind][size]; });
      }
    }
  } catch (const std::exception&) {  // then they are measured
  }
}

void HostSpeeds::set(WorkKind kind, const HostSpeed& speed) {
  for (Known& known : known_[static_cast<size_t>(kind)]) {
    std::call_once(known.once, [] {});
    known.speed = speed;
  }
}

}  // namespace warpaes::core
