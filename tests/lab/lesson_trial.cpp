#include "lesson_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device/device.hpp"
#include "lab/reference.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kMargin = 64;  // before and after the output
constexpr uint8_t kUntouched = 0xc3;
constexpr uint32_t kFewThreads = 64;  // so that a short message is several blocks of the grid

Bytes pattern(uint64_t count, uint32_t seed) {
  Bytes bytes(count);
  uint32_t state = seed;
  for (uint8_t& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

void run_on_device(const Lesson& lesson, const Task& host, Bytes& memory, uint64_t input_at,
                   uint64_t output_at) {
  const OwnedStream stream(0);
  const DeviceBuffer device(0, memory.size());
  copy_to_device(device.data(), memory.data(), memory.size(), stream.get());
  const Task task = {
      host.variant, host.schedule, host.counter, device.data() + input_at, device.data() + output_at,
      host.bytes};
  lesson.launch(task, stream.get());
  copy_to_host(memory.data(), device.data(), memory.size(), stream.get());
  synchronize(stream.get());
}

void run_at(Place place, const Lesson& lesson, const Task& task, Bytes& memory, uint64_t input_at,
            uint64_t output_at) {
  switch (place) {
    case Place::cpu:
      return lesson.run_on_cpu(task);
    case Place::emulated:
      return lesson.emulate(task);
    case Place::gpu:
      return run_on_device(lesson, task, memory, input_at, output_at);
  }
}

}  // namespace

std::string fault_of(const Lesson& lesson, const Trial& trial, Place place) {
  const Bytes key = pattern(static_cast<uint64_t>(trial.variant.key_bits) / 8, 7);
  const KeySchedule schedule(key);
  const Bytes input = pattern(trial.bytes, 11);
  const Task wanted = {trial.variant, schedule, trial.counter, input.data(), nullptr, trial.bytes};
  const Bytes right = reference_output(wanted);

  // One piece of memory: a margin, the input, a margin, the output, a margin.
  const auto rounded = [](uint64_t bytes) { return (bytes + 15) / 16 * 16; };
  const uint64_t input_at = kMargin + trial.misaligned;
  const uint64_t output_at = trial.in_place ? input_at : input_at + rounded(trial.bytes) + kMargin;
  Bytes memory(output_at + std::max(right.size(), input.size()) + kMargin, kUntouched);
  std::copy(input.begin(), input.end(), memory.begin() + static_cast<ptrdiff_t>(input_at));
  Bytes expected = memory;
  std::copy(right.begin(), right.end(), expected.begin() + static_cast<ptrdiff_t>(output_at));

  const Task task = {
      trial.variant, schedule, trial.counter, memory.data() + input_at, memory.data() + output_at,
      trial.bytes};
  run_at(place, lesson, task, memory, input_at, output_at);
  const auto wrong = std::mismatch(memory.begin(), memory.end(), expected.begin()).first;
  if (wrong == memory.end()) return {};
  return fmt::format("{}, {} bytes{}: byte {} from the output's first is wrong", text_of(trial.variant),
                     trial.bytes, trial.in_place ? " in place" : "",
                     (wrong - memory.begin()) - static_cast<ptrdiff_t>(output_at));
}

std::vector<Variant> usual_variants(const Lesson& lesson) {
  Shape shape = lesson.shape;
  if (axis_of(lesson, kThreads.name)) shape.threads = kFewThreads;
  std::vector<Variant> variants;
  for (const Mode mode : lesson.modes) {
    for (const Direction direction : lesson.directions) {
      for (const int key_bits : lesson.key_bits) variants.push_back({mode, direction, key_bits, shape});
    }
  }
  return variants;
}

std::vector<Variant> all_variants(const Lesson& lesson) {
  std::vector<Variant> variants = usual_variants(lesson);
  for (const Axis* const axis : lesson.axes) {
    std::vector<Variant> more;
    for (const Variant& variant : variants) {
      for (const uint32_t value : axis->values) {
        more.push_back(variant);
        more.back().shape.*axis->member = value;
      }
    }
    variants = more;
  }
  return variants;
}

std::string text_of(const Variant& variant) {
  std::string text =
      fmt::format("{} {} {} bits", mode_name(variant.mode),
                  variant.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt", variant.key_bits);
  for (const Axis& axis : all_axes()) {
    text += fmt::format(", {} {}", axis.name, value_name(axis, variant.shape.*axis.member));
  }
  return text + fmt::format(", grid {}", variant.shape.grid);
}

}  // namespace warpaes::core::lab
