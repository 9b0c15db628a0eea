#include "output_options.hpp"

#include <CLI/CLI.hpp>

#include "option_checks.hpp"

namespace warpaes::cli {

void OutputOptions::add_to(CLI::App& command, bool has_stream) {
  command
      .add_option("-o,--output", output,
                  has_stream ? "Name of the output, or - for standard output" : "Name of the output")
      ->check(not_empty())
      ->option_text("FILE");
  command.add_flag(
      "-f,--force", force,
      has_stream ? "Replace an output that exists; write to a terminal" : "Replace an output that exists");
}

}  // namespace warpaes::cli
