#pragma once

#include <string>

#include "option_parser.hpp"

namespace warpaes::cli {

/// -o and --force.
struct OutputOptions {
  std::string output;
  bool force = false;

  /// @param has_stream false: the command writes to files only
  void add_to(CLI::App& command, bool has_stream = true);
};

}  // namespace warpaes::cli
