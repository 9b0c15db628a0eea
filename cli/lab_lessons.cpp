#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "failure_report.hpp"
#include "lab/catalogue.hpp"
#include "lab_commands.hpp"

namespace warpaes::cli {

JsonObject axis_value(const lab::Axis& axis, uint32_t value) {
  if (axis.value_names.empty()) return value;
  return axis.value_names[value];
}

void add_lesson(CLI::App& command, std::string& name) {
  std::vector<std::string_view> names;
  for (const lab::Lesson* const lesson : lab::catalogue()) names.push_back(lesson->name);
  command.add_option("NAME", name, "The lesson, as `warpaes lab list` has it")
      ->required()
      ->type_name(fmt::format("{}", fmt::join(names, "|")))  // what completions offer
      ->option_text(" ");
}

const lab::Lesson& lesson_named(const std::string& name) {
  if (const lab::Lesson* const lesson = lab::find_lesson(name)) return *lesson;
  const auto near = lab::nearest_names(name, 3);
  throw Refusal(ExitCode::not_found, fmt::format("there is no lesson '{}'", name),
                fmt::format("the nearest names: {}; `warpaes lab list` has them all", fmt::join(near, ", ")));
}

}  // namespace warpaes::cli
