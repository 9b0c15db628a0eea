#include "report_options.hpp"

#include <CLI/CLI.hpp>

namespace warpaes::cli {

void ReportOptions::add_json(CLI::App& command) {
  command.add_flag("--json", json, "One JSON object a line on stdout");
}

void ReportOptions::add_to(CLI::App& command) {
  add_json(command);
  command.add_flag("-q,--quiet", quiet, "Say nothing but errors and warnings");
  command.add_flag("--no-progress", no_progress, "No progress bar");
}

}  // namespace warpaes::cli
