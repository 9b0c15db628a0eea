#include <fmt/format.h>

#include "failure_report.hpp"
#include "lab/catalogue.hpp"
#include "lab_commands.hpp"

namespace warpaes::cli {

JsonObject axis_value(const lab::Axis& axis, uint32_t value) {
  if (axis.value_names.empty()) return value;
  return axis.value_names[value];
}

const lab::Lesson& lesson_named(const std::string& name) {
  if (const lab::Lesson* const lesson = lab::find_lesson(name)) return *lesson;
  const auto near = lab::nearest_names(name, 3);
  throw Refusal(ExitCode::not_found, fmt::format("there is no lesson '{}'", name),
                fmt::format("the nearest names: {}; `warpaes lab list` has them all", fmt::join(near, ", ")));
}

}  // namespace warpaes::cli
