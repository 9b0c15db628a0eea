// A lesson run with random data: checked against what is right (reference.hpp), and timed where it runs for
// real.
#pragma once

#include <optional>

#include "benchmarks/samples.hpp"
#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// Where a lesson can run here.
enum class Place {
  cpu,      // a CPU's lesson, one thread
  gpu,      // a GPU's lesson on a GPU
  emulated  // a GPU's lesson on the CPU: right or wrong, but never timed
};

std::string_view place_name(Place place);

/// Emulated only if there is no GPU, or no code for one; then `*why` says which.
Place place_of(const Lesson& lesson, std::string* why = nullptr);

/// What is run if nobody says how much: so much that it can be timed, or so little that emulation ends soon.
uint64_t usual_bytes(Place place);

struct RunOrder {
  Variant variant;
  uint64_t bytes = 0;
  Place place = Place::cpu;
  int device = 0;
  unsigned samples = 5;
};

struct RunResult {
  /// Of the output, where it differs from the reference's; none if it is right.
  std::optional<uint64_t> first_wrong_byte;
  std::optional<bench::Spread> seconds;  // of what was timed: data in place, without copies
  std::optional<Resources> resources;    // on a GPU
};

/// Throws Failure: OPTION if the lesson has no such variant, DEVICE_MEMORY, what CUDA says.
RunResult run_lesson(const Lesson& lesson, const RunOrder& order);

}  // namespace warpaes::core::lab
