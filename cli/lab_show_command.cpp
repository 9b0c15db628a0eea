// lab show: a lesson's essay, where it comes from, what of it can be varied; or its code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "lab/catalogue.hpp"
#include "lab_commands.hpp"

namespace warpaes::cli {
namespace {

void print_facts(const lab::Lesson& lesson) {
  const bool both = lesson.directions.size() == 2;
  fmt::print("\n  runs on     {}\n", lab::machine_name(lesson.machine));
  fmt::print("  modes       {}; keys of {} bits{}\n", lab::mode_names(lesson),
             fmt::join(lesson.key_bits, ", "), both ? "; encryption and decryption" : "");
  fmt::print("  timing      {}\n", core::timing_name(lesson.timing));
  fmt::print("  source      {}\n", lesson.source);
  if (!lesson.measured.empty()) fmt::print("  they found  {}\n", lesson.measured);
  for (const lab::Axis* const axis : lesson.axes) {
    fmt::print("  --{:<20} {}: {} (else {})\n", axis->name, axis->meaning, lab::value_names(*axis),
               lab::value_name(*axis, lesson.shape.*axis->member));
  }
  fmt::print("\nThe code: warpaes lab show {} --code. To run it: warpaes lab run {}\n", lesson.name,
             lesson.name);
}

ExitCode show(const std::string& name, bool code) {
  const lab::Lesson& lesson = lesson_named(name);
  if (code) {
    fmt::print("{}", lab::source_text(lesson));
    return ExitCode::done;
  }
  fmt::print("{}\n\n{}", lesson.name, lab::essay(lesson));
  print_facts(lesson);
  return ExitCode::done;
}

}  // namespace

void register_lab_show(CLI::App& app, ExitCode& exit_code) {
  struct Options {
    std::string name;
    bool code = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand("show", "Explain a lesson");
  add_lesson(*command, options->name);
  command->add_flag("--code", options->code, "Print its file instead");
  command->callback([options, &exit_code] { exit_code = show(options->name, options->code); });
}

}  // namespace warpaes::cli
