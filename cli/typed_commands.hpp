// What a user may have meant by arguments that name no command or option.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "option_parser.hpp"

namespace warpaes::cli {

/// The command that the arguments name: "warpaes kdf scrypt".
std::string typed_command(const CLI::App& app, std::span<const std::string> arguments);

/// Adds `help`, so that it is listed and has help itself; what it does is without_help_command().
void add_help_command(CLI::App& app);

/// `help COMMAND` as `COMMAND --help`; other arguments as they are.
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

/// Throws a usage Refusal if `help COMMAND` was typed with more behind it.
/// @param arguments what without_help_command() made of them
void refuse_help_of_more(const CLI::App& app, std::span<const std::string> typed,
                         std::span<const std::string> arguments);

/// Throws a usage Refusal that names a mistyped command, and the nearest one.
void refuse_unknown_command(const CLI::App& app, std::span<const std::string> arguments);

/// Marks what the parser would read in a way that nobody means who types it, so that it is refused: a long
/// name with one dash (-force, which would be `-f -o rce`), and a value that is given to a flag
/// (--json=false).
/// @param arguments from the name of the command on
std::vector<std::string> with_marked_mistakes(const CLI::App& app, std::vector<std::string> arguments);

/// Throws a usage Refusal for what the parser did not like.
[[noreturn]] void refuse_arguments(const CLI::App& app, std::span<const std::string> arguments,
                                   const CLI::ParseError& error);

}  // namespace warpaes::cli
