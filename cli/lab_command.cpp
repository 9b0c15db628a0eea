// lab: the literature's ways to compute AES, as lessons to read, run and measure.
#include <fmt/format.h>

#include "failure_report.hpp"
#include "lab/catalogue.hpp"
#include "lab_commands.hpp"

namespace warpaes::cli {
namespace {

constexpr RegisterCommand* kLabCommands[] = {
    register_lab_list,  register_lab_show,   register_lab_run,      register_lab_penguin,
    register_lab_study, register_lab_report, register_lab_key_byte,
};

}  // namespace

void register_lab(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const lab = app.add_subcommand("lab", "Teaching kernels: read, run and measure them");
  lab->require_subcommand(1);
  for (RegisterCommand* const add : kLabCommands) add(*lab, exit_code);
}

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
