// Runs a lesson with random data. The result is checked (reference.hpp), and where the lesson runs on its
// real hardware, it is timed.
#pragma once

#include <optional>

#include "benchmarks/samples.hpp"
#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// Where a lesson can run here.
enum class Place {
  cpu,      // a lesson for the CPU, in one thread
  gpu,      // a lesson for GPUs, on a GPU
  emulated  // a lesson for GPUs, on the CPU: shows whether it is right, and is never timed
};

std::string_view place_name(Place place);

/// Emulated only if there is no GPU, or no code for the one that there is; `*why` says which.
Place place_of(const Lesson& lesson, std::string* why = nullptr);

/// How much is run if nobody says it: enough to be timed, or so little that emulation ends soon.
uint64_t usual_bytes(Place place);

struct RunOrder {
  Variant variant;
  uint64_t bytes = 0;
  Place place = Place::cpu;
  int device = 0;
  unsigned samples = 5;
};

struct RunResult {
  /// The first byte of the output that differs from the reference; none if all is right.
  std::optional<uint64_t> first_wrong_byte;
  std::optional<bench::Spread> seconds;  // of what was timed: the data stays where it is, without copies
  std::optional<Resources> resources;    // on a GPU
};

/// The output is poisoned before each sample, and what the last one has written is compared. Throws Failure:
/// OPTION if the lesson has no such variant, LENGTH if the bytes are no whole units of it or not even one
/// key, DEVICE_MEMORY, or what CUDA reports.
RunResult run_lesson(const Lesson& lesson, const RunOrder& order);

}  // namespace warpaes::core::lab
