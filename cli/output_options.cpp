#include "output_options.hpp"

#include <CLI/CLI.hpp>

#include "option_checks.hpp"

namespace warpaes::cli {

void OutputOptions::add_to(CLI::App& command) {
  command.add_option("-o,--output", output, "Name of the output, or - for standard output")
      ->check(not_empty())
      ->option_text("FILE");
  command.add_flag("-f,--force", force, "Replace an output that exists; write to a terminal");
}

}  // namespace warpaes::cli
