#pragma once

#include "option_parser.hpp"

namespace warpaes::cli {

/// --json, --quiet, --no-progress.
struct ReportOptions {
  bool json = false;
  bool quiet = false;
  bool no_progress = false;

  void add_json(CLI::App& command);
  void add_to(CLI::App& command);
};

}  // namespace warpaes::cli
