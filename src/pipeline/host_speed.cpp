#include "pipeline/host_speed.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
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

/// The shortest call of a size is so many times as long as that of the size before.
constexpr uint64_t kTimes = 4;
/// One thread is measured with a shorter call, as its speed does not depend on the length.
constexpr uint64_t kOneThreadBytes = 4 << 20;
/// The length of the messages with which modes that chain are measured.
constexpr uint64_t kMessageBytes = 4096;
/// How much faster a call must be with the GPUs for them to take part. Two ways that are nearly as fast
/// differ from run to run, and the CPU alone keeps no GPU from other work.
constexpr double kWorthAGpu = 1.05;
/// Where memory lacked for a measurement, calls do not try again at once: an attempt may take longer than a
/// call.
constexpr std::chrono::seconds kBetweenAttempts{1};
constexpr std::array<uint8_t, 16> kZeroKey{}, kCounter{};

/// The length of the calls with which this size is measured. It is in the middle, but for the last size,
/// whose calls take long enough.
uint64_t sample_bytes(const TransferSizes& sizes, CallSize size) {
  return least_bytes(sizes, size) * (size + 1 == kCallSizes ? 1 : 2);
}

/// One way to do a call of so many bytes.
using Run = std::function<void()>;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double bytes_per_second(uint64_t bytes, const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return static_cast<double>(bytes) / seconds.count();
}

/// The median speed of each way, after one run that takes the first-time costs. The ways take turns, so that
/// what changes meanwhile (clocks, other programs) changes for all of them. The best run would not do: runs
/// with a GPU differ more among themselves, so the best of them says less of the next call.
std::vector<double> median_speeds(uint64_t bytes, const std::vector<Run>& ways) {
  constexpr uint64_t kEnough = 512 << 20, kFewestRounds = 3, kMostRounds = 9;
  const uint64_t rounds = std::clamp(kEnough / bytes, kFewestRounds, kMostRounds);
  for (const Run& run : ways) run();
  std::vector<std::vector<double>> speeds(ways.size());
  for (uint64_t round = 0; round < rounds; round++)
    for (size_t way = 0; way < ways.size(); way++) speeds[way].push_back(bytes_per_second(bytes, ways[way]));
  std::vector<double> medians(ways.size());
  std::transform(speeds.begin(), speeds.end(), medians.begin(), median);
  return medians;
}

/// Does one kind of work on this memory, in place.
void do_sample(const Key& key, WorkKind kind, const Workers& workers, uint8_t* memory, uint64_t bytes) {
  const auto encrypt = [&key](const Engine& engine, const SpanPart& part) {
    const CounterAt counter(kCounter.data(), part.at);
    ctr(engine, key.prepared(engine, part.device), {counter.block, part.input, part.output, part.bytes},
        part.stream);
  };
  const Batch messages{.mode = WARPAES_MODE_CBC,
                       .messages = bytes / kMessageBytes,
                       .bytes = kMessageBytes,
                       .input = memory,
                       .input_stride = kMessageBytes,
                       .output = memory,
                       .output_stride = kMessageBytes,
                       .nonces = kCounter.data(),
                       .nonce_bytes = 16};
  switch (kind) {
    case WorkKind::stream:
      return run_span_by(workers, key.context(), {memory, memory, bytes, 16}, {.work = encrypt});
    case WorkKind::gcm:
      return gcm_shared_by(workers, key, memory, bytes);
    case WorkKind::chained:
      return run_batch_by(workers, {key.context(), &key, nullptr, nullptr}, messages);
  }
}

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
  return (work.pinned ? with_gpu_pinned : with_gpu_pageable) > kWorthAGpu * cpu;
}

HostSpeed measure_host_speed(const Context& context, WorkKind kind, CallSize size) {
  Context::State& state = context.state();
  const Engine *const cpu = state.engine_on(Memory::host), *const gpu = state.engine_on(Memory::device);
  const uint64_t bytes = sample_bytes(state.sizes, size), short_call = std::min(bytes, kOneThreadBytes);
  const HostBuffer pinned(context, bytes);
  std::vector<uint8_t> pageable(bytes);
  const Key key(context, kZeroKey);
  WorkerThreads one_thread(1);
  const Workers one{nullptr, cpu, one_thread}, all{nullptr, cpu, state.threads},
      together{gpu, cpu, state.threads};
  const auto by = [&](const Workers& workers, uint8_t* memory, uint64_t some) -> Run {
    return [&, memory, some] { do_sample(key, kind, workers, memory, some); };
  };
  const Run by_all = by(all, pageable.data(), bytes);

  HostSpeed speed;
  speed.one_thread = median_speeds(short_call, {by(one, pageable.data(), short_call)})[0];
  try {
    if (gpu != nullptr) {
      const std::vector<double> speeds = median_speeds(
          bytes, {by_all, by(together, pageable.data(), bytes), by(together, pinned.data(), bytes)});
      speed.all_threads = speeds[0];
      speed.with_gpu_pageable = speeds[1];
      speed.with_gpu_pinned = speeds[2];
      return speed;
    }
  } catch (
      const Failure& failure) {  // a GPU that fails takes no part, but one that lacks memory may do later
    if (failure.is_passing()) throw;
  }
  speed.all_threads = median_speeds(bytes, {by_all})[0];
  return speed;
}

const HostSpeed& HostSpeeds::of(const Context& context, WorkKind kind, CallSize size) {
  static constexpr HostSpeed kUnknown;  // with which the CPU works alone
  const NotCancelled not_cancelled;     // files are read
  std::call_once(loaded_, [&] { load(context); });
  Known& known = known_[static_cast<size_t>(kind)][size];
  const std::lock_guard lock(known.mutex);
  if (known.speed) return *known.speed;
  if (std::chrono::steady_clock::now() < known.next_attempt) return kUnknown;
  try {
    return known.speed.emplace(measure_host_speed(context, kind, size));
  } catch (const std::exception&) {  // no memory to measure with
    known.next_attempt = std::chrono::steady_clock::now() + kBetweenAttempts;
    return kUnknown;
  }
}

void HostSpeeds::load(const Context& context) {
  try {
    const std::optional<AllHostSpeeds> speeds = load_speeds(context);
    for (size_t kind = 0; speeds && kind < kWorkKinds; kind++) {
      for (CallSize size = 0; size < kCallSizes; size++) {
        Known& known = known_[kind][size];
        const std::lock_guard lock(known.mutex);
        if (!known.speed) known.speed = (*speeds)[kind][size];  // what has been set already stays
      }
    }
  } catch (const std::exception&) {  // then they are measured
  }
}

void HostSpeeds::set(WorkKind kind, const HostSpeed& speed) {
  for (Known& known : known_[static_cast<size_t>(kind)]) {
    const std::lock_guard lock(known.mutex);
    known.speed = speed;
  }
}

}  // namespace warpaes::core
