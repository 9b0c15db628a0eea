#include "lab/lesson_run.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "benchmarks/gpu_timer.hpp"
#include "benchmarks/workload.hpp"
#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "lab/reference.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;
using Clock = std::chrono::steady_clock;

/// Random bytes that are the same in every run, so that a failure can be repeated.
Bytes random_bytes(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(count);
  for (uint64_t i = 0; i < count; i += 8) {
    const uint64_t word = random();
    for (uint64_t j = i; j < std::min(i + 8, count); j++)
      bytes[j] = static_cast<uint8_t>(word >> (8 * (j - i)));
  }
  return bytes;
}

/// A lesson's work in host memory, with the right answer.
struct Work {
  explicit Work(const RunOrder& order)
      : schedule(random_bytes(static_cast<uint64_t>(order.variant.key_bits) / 8, 1)),
        input(random_bytes(order.bytes, 2)),
        output(output_bytes(order.variant, order.bytes), bench::kPoison),
        // The counter soon carries into its upper half.
        task{order.variant, schedule,      {0x0123456789abcdef, ~uint64_t{0} - 100},
             input.data(),  output.data(), order.bytes} {}

  std::optional<uint64_t> first_wrong_byte() const {
    const Bytes right = reference_output(task);
    const auto [at, unused] = std::mismatch(right.begin(), right.end(), output.begin());
    if (at == right.end()) return {};
    return static_cast<uint64_t>(at - right.begin());
  }

  KeySchedule schedule;
  Bytes input, output;
  Task task;
};

template <class Call>
double seconds_of(const Call& call) {
  const auto begun = Clock::now();
  call();
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

RunResult run_on_host(const Lesson& lesson, const RunOrder& order) {
  Work work(order);
  RunResult result;
  if (order.place == Place::emulated) {
    lesson.emulate(work.task);
  } else {
    const bench::Sample sample = [&] {
      std::ranges::fill(work.output, bench::kPoison);
      return seconds_of([&] { lesson.run_on_cpu(work.task); });
    };
    bench::warm_up(sample);
    result.seconds = bench::spread_of(std::max(order.samples, 1u), sample);
  }
  result.first_wrong_byte = work.first_wrong_byte();
  return result;
}

RunResult run_on_gpu(const Lesson& lesson, const RunOrder& order) {
  enter_cuda();
  const DeviceScope scope(order.device);
  Work work(order);
  const OwnedStream stream(order.device);
  const DeviceBuffer input(order.device, std::max<size_t>(work.input.size(), 1));
  const DeviceBuffer output(order.device, std::max<size_t>(work.output.size(), 1));
  copy_to_device(input.data(), work.input.data(), work.input.size(), stream.get());
  Task task = {order.variant, work.schedule, work.task.counter, input.data(), output.data(), order.bytes};

  RunResult result;
  result.resources = lesson.resources(order.variant);
  const bench::GpuTimer timer(order.device);
  const bench::Sample sample = [&] {
    fill_device(output.data(), bench::kPoison, work.output.size(), stream.get());
    return timer.seconds(stream.get(), [&] { lesson.launch(task, stream.get()); });
  };
  bench::warm_up(sample);
  result.seconds = bench::spread_of(std::max(order.samples, 1u), sample);
  copy_to_host(work.output.data(), output.data(), work.output.size(), stream.get());
  synchronize(stream.get());
  result.first_wrong_byte = work.first_wrong_byte();
  return result;
}

void require_whole_units(const RunOrder& order) {
  const Mode mode = order.variant.mode;
  const bool is_whole = order.bytes % unit_bytes(order.variant) == 0;
  if (mode == Mode::ecb && !is_whole)
    throw Failure(WARPAES_ERROR_LENGTH, "ECB takes whole blocks of 16 bytes");
  if (mode == Mode::key_expansion && (!is_whole || order.bytes == 0))
    throw Failure(WARPAES_ERROR_LENGTH, "key expansion takes whole keys, and one at least");
}

}  // namespace

std::string_view place_name(Place place) {
  constexpr std::string_view kNames[] = {"cpu", "gpu", "emulated"};
  return kNames[static_cast<int>(place)];
}

Place place_of(const Lesson& lesson, std::string* why) {
  if (lesson.machine == Machine::cpu) return Place::cpu;
  std::string reason;
  if (lesson.launch == nullptr) {
    reason = "this program was built without GPU code for the lab";
  } else if (device_count(&reason) > 0) {
    return Place::gpu;
  }
  if (why) *why = reason;
  return Place::emulated;
}

uint64_t usual_bytes(Place place) {
  switch (place) {
    case Place::cpu:
      return uint64_t{1} << 20;
    case Place::gpu:
      return uint64_t{256} << 20;
    default:
      return uint64_t{16} << 10;
  }
}

RunResult run_lesson(const Lesson& lesson, const RunOrder& order) {
  require_variant(lesson, order.variant);
  require_whole_units(order);
  return order.place == Place::gpu ? run_on_gpu(lesson, order) : run_on_host(lesson, order);
}

}  // namespace warpaes::core::lab
