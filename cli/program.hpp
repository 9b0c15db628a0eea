// What the programs warpaes and warpaes-lab have in common: they parse their arguments, run one sub-command,
// and turn whatever goes wrong into a complaint and an exit code.
#pragma once

#include <span>

#include "command.hpp"

namespace warpaes::core::cli {

struct Program {
  const char* name;  // as its users type it
  const char* purpose;
  std::span<RegisterCommand* const> commands;
};

/// The exit code of the process.
int run_program(const Program& program, int argc, char** argv);

}  // namespace warpaes::core::cli
