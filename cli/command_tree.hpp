// The commands of a program and their options, as its manual pages and shell completions need them: read from
// the parser, so that nothing is written down twice.
#pragma once

#include <string>
#include <vector>

#include "option_parser.hpp"

namespace warpaes::cli {

struct OptionRow {
  std::vector<std::string> names;    // "-o", "--output"; or "FILE", an argument that is no option
  std::string value;                 // "FILE", "none|sample|full (sample)"; empty for a flag
  std::vector<std::string> choices;  // the values, if these are all
  std::string description;
  bool required = false;

  bool is_option() const { return names.front().front() == '-'; }
};

struct CommandRow {
  std::string program;  // "warpaes", "warpaes lab": as its users type it
  std::string path;     // "warpaes kdf scrypt"
  std::string name;     // "scrypt"
  std::string description, footer;
  std::vector<OptionRow> options;
  std::vector<CommandRow> commands;
  /// It starts another program, hyphenated(path), which alone knows what may follow.
  bool starts_program = false;

  bool is_program() const { return path == program; }
};

/// "warpaes-kdf-scrypt" for "warpaes kdf scrypt", as programs and manual pages are called.
std::string hyphenated(std::string path);

OptionRow option_row(const CLI::Option& option);

/// Without the commands that --help hides.
CommandRow command_tree(const CLI::App& app);

/// A command and all that are below it, in the order of --help.
std::vector<const CommandRow*> with_all_below(const CommandRow& command);

}  // namespace warpaes::cli
