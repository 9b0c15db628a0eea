#include "lab/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "failure.hpp"

namespace warpaes::core::lab {
namespace {

template <class Values, class Value>
bool holds(const Values& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

[[noreturn]] void refuse(const Lesson& lesson, std::string_view what, std::string_view instead) {
  throw Failure(WARPAES_ERROR_OPTION, fmt::format("{} {}; it has {}", lesson.name, what, instead));
}

std::string_view direction_name(Direction direction) {
  return direction == WARPAES_DIRECTION_ENCRYPT ? "encryption" : "decryption";
}

}  // namespace

std::string_view mode_name(Mode mode) {
  constexpr std::string_view kNames[] = {"ecb", "ctr", "ghash", "key_expansion"};
  return kNames[static_cast<int>(mode)];
}

std::string_view machine_name(Machine machine) { return machine == Machine::cpu ? "cpu" : "gpu"; }

std::string mode_names(const Lesson& lesson) {
  std::string names;
  for (const Mode mode : lesson.modes) names += (names.empty() ? "" : ", ") + std::string(mode_name(mode));
  return names;
}

uint64_t unit_bytes(const Variant& variant) {
  if (variant.mode == Mode::ecb) return 16;
  return variant.mode == Mode::key_expansion ? static_cast<uint64_t>(variant.key_bits) / 8 : 1;
}

void require_variant(const Lesson& lesson, const Variant& variant) {
  if (!holds(lesson.modes, variant.mode))
    refuse(lesson, fmt::format("has no mode {}", mode_name(variant.mode)), mode_names(lesson));
  if (!holds(lesson.key_bits, variant.key_bits))
    refuse(lesson, fmt::format("has no keys of {} bits", variant.key_bits),
           fmt::format("{}", fmt::join(lesson.key_bits, ", ")));
  if (!holds(lesson.directions, variant.direction))
    refuse(lesson, fmt::format("has no {}", direction_name(variant.direction)),
           direction_name(lesson.directions.front()));
  for (const Axis& axis : all_axes()) {
    const uint32_t value = variant.shape.*axis.member;
    const bool varies = std::any_of(lesson.axes.begin(), lesson.axes.end(), [&](const Axis* its) {
      return its->member == axis.member && holds(its->values, value);
    });
    if (!varies && value != lesson.shape.*axis.member) {
      const Axis* const its = axis_of(lesson, axis.name);
      if (its)
        refuse(lesson, fmt::format("cannot have {} {}", value_name(axis, value), axis.name),
               value_names(*its));
      throw Failure(WARPAES_ERROR_OPTION, fmt::format("{} does not let {} vary", lesson.name, axis.name));
    }
  }
}

const Axis* axis_of(const Lesson& lesson, std::string_view name) {
  for (const Axis* const axis : lesson.axes) {
    if (axis->name == name) return axis;
  }
  return nullptr;
}

}  // namespace warpaes::core::lab
