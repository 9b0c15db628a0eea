// What the programs warpaes and warpaes-lab have in common: they parse their arguments, run one sub-command,
// and turn whatever goes wrong into a complaint and an exit code.
#pragma once

#include <span>
#include <string_view>

#include "command.hpp"

namespace warpaes::cli {

struct ProgramCommand {
  std::string_view name;  // as `add` calls it
  RegisterCommand* add;
  bool reads_all = false;  // of the parser: it says which commands and options there are
};

struct Program {
  const char* name;  // as its users type it
  const char* purpose;
  std::span<const ProgramCommand> commands;
  /// Throws the exception that is being handled again, as one of which complaint_of_current_exception() knows
  /// the exit code.
  void (*rethrow)() = [] { throw; };
};

/// Ends the process, with the exit code that says how it went.
[[noreturn]] void run_program(const Program& program, int argc, char** argv);

}  // namespace warpaes::cli
