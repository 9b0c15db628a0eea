// lab list: the catalogue.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "json_lines.hpp"
#include "lab/catalogue.hpp"
#include "lab_commands.hpp"
#include "report_options.hpp"

namespace warpaes::cli {
namespace {

JsonObject names_of(std::span<const lab::Mode> modes) {
  JsonObject names = JsonObject::array();
  for (const lab::Mode mode : modes) names.push_back(lab::mode_name(mode));
  return names;
}

JsonObject directions_of(const lab::Lesson& lesson) {
  JsonObject names = JsonObject::array();
  for (const warpaes_direction way : lesson.directions)
    names.push_back(way == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt");
  return names;
}

JsonObject axes_of(const lab::Lesson& lesson) {
  JsonObject axes = JsonObject::object();
  for (const lab::Axis* const axis : lesson.axes) {
    JsonObject values = JsonObject::array();
    for (const uint32_t value : axis->values) values.push_back(axis_value(*axis, value));
    axes[std::string(axis->name)] = values;
  }
  return axes;
}

void print_json(const lab::Lesson& lesson) {
  print_json_line({{"type", "lesson"},
                   {"name", lesson.name},
                   {"idea", lesson.idea},
                   {"machine", lab::machine_name(lesson.machine)},
                   {"timing", core::timing_name(lesson.timing)},
                   {"modes", names_of(lesson.modes)},
                   {"key_bits", std::vector<int>(lesson.key_bits.begin(), lesson.key_bits.end())},
                   {"directions", directions_of(lesson)},
                   {"axes", axes_of(lesson)},
                   {"source", lesson.source},
                   {"measured", lesson.measured}});
}

void print_row(const lab::Lesson& lesson) {
  fmt::print("{:<28} {:<4} {:<14} {:<14} {}\n", lesson.name, lab::machine_name(lesson.machine),
             core::timing_name(lesson.timing), lab::mode_names(lesson), lesson.idea);
}

ExitCode list(const ReportOptions& options) {
  if (!options.json)
    fmt::print("{:<28} {:<4} {:<14} {:<14} {}\n", "lesson", "runs", "timing", "modes", "idea");
  for (const lab::Lesson* const lesson : lab::catalogue()) (options.json ? print_json : print_row)(*lesson);
  if (options.json) {
    print_json_line({{"type", "summary"}, {"command", "lab list"}, {"lessons", lab::catalogue().size()}});
  }
  return ExitCode::done;
}

}  // namespace

void register_lab_list(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const command = app.add_subcommand("list", "List the lessons, in the order to learn them");
  const auto options = std::make_shared<ReportOptions>();
  options->add_json(*command);
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace warpaes::cli
