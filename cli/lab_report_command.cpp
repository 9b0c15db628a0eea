// warpaes lab report: the page of results that have been measured before, perhaps on another machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>

#include "failure_report.hpp"
#include "input_file.hpp"
#include "lab_commands.hpp"
#include "lab_report_files.hpp"
#include "option_checks.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

ExitCode report(const std::string& results, const std::string& folder, bool replace) {
  const std::vector<lab::JsonLine> lines = json_lines_in(results);
  try {
    fmt::print("{}\n", shown(write_report(lines, folder, replace)));
  } catch (const std::out_of_range& reason) {
    const std::string name = is_standard_stream(results) ? "standard input" : shown(results);
    throw Refusal(ExitCode::error, fmt::format("{}: {}", name, reason.what()),
                  "`warpaes lab study` writes such files");
  }
  return ExitCode::done;
}

}  // namespace

void register_lab_report(CLI::App& lab, ExitCode& exit_code) {
  struct Options {
    std::string results, folder = ".";
    bool force = false;
  };
  CLI::App* const added = lab.add_subcommand("report", "Draw charts and a page from a study's results");
  const auto options = std::make_shared<Options>();
  added
      ->add_option("RESULTS", options->results,
                   "The results.jsonl of `warpaes lab study`, or - for standard input")
      ->required()
      ->check(not_empty())
      ->option_text(" ");
  added->add_option("-o,--output", options->folder, "Folder for report.html and the charts")
      ->check(not_empty())
      ->option_text("DIR (.)");
  added->add_flag("-f,--force", options->force, "Replace a page and charts that exist");
  added->callback(
      [options, &exit_code] { exit_code = report(options->results, options->folder, options->force); });
}

}  // namespace warpaes::cli
