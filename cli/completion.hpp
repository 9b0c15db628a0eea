#pragma once

#include <span>
#include <string>

#include "command_tree.hpp"

namespace warpaes::cli {

struct CompletionRow {
  const char* shell;
  /// The script that teaches the shell a program's commands, options and values.
  std::string (*script)(const CommandRow& program);
};

std::span<const CompletionRow> completion_table();

}  // namespace warpaes::cli
