#pragma once

#include <CLI/CLI.hpp>

namespace warpaes::core::cli {

/// --json, --quiet, --no-progress.
struct ReportOptions {
  bool json = false;
  bool quiet = false;
  bool no_progress = false;

  void add_json(CLI::App& command) { command.add_flag("--json", json, "One JSON object a line on stdout"); }
  void add_to(CLI::App& command) {
    add_json(command);
    command.add_flag("-q,--quiet", quiet, "Say nothing but errors");
    command.add_flag("--no-progress", no_progress, "No progress bar");
  }
};

}  // namespace warpaes::core::cli
