// Compares the answer of one variant of a lesson for one message with OpenSSL's.
#pragma once

#include <string>
#include <vector>

#include "lab/lesson.hpp"
#include "lab/lesson_run.hpp"

namespace warpaes::core::lab {

struct Trial {
  Variant variant;
  CounterBlock counter{};
  uint64_t bytes = 0;
  unsigned misaligned = 0;  // bytes by which input and output are past a multiple of 16
  bool in_place = false;
};

/// Empty if it is right, and nothing beside the output was touched; else what is wrong.
std::string fault_of(const Lesson& lesson, const Trial& trial, Place place);

/// Every combination of the lesson's modes, directions, key sizes and values of its axes.
std::vector<Variant> all_variants(const Lesson& lesson);

/// The same with the usual shape only, but for few threads a block.
std::vector<Variant> usual_variants(const Lesson& lesson);

std::string text_of(const Variant& variant);

}  // namespace warpaes::core::lab
