#pragma once

#include <string>

#include "option_parser.hpp"

namespace warpaes::cli {

/// -o and --force.
struct OutputOptions {
  std::string output;
  bool force = false;

  void add_to(CLI::App& command);
};

}  // namespace warpaes::cli
