// What the process tells its caller: one table for every sub-command (`warpaes --help` prints it).
#pragma once

#include <span>

namespace warpaes::cli {

enum class ExitCode : int {
  done = 0,
  error = 1,
  usage = 2,
  some_failed = 3,
  no_engine = 4,
  not_found = 10,
  wrong_key = 12,
  damaged = 13,
  truncated = 14,
  interrupted = 130,
};

struct ExitCodeRow {
  ExitCode code;
  const char* name;  // the "error" field of a JSON line
  const char* meaning;
};

std::span<const ExitCodeRow> exit_code_table();
const char* exit_code_name(ExitCode code);

}  // namespace warpaes::cli
