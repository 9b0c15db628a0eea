// Arguments as they were typed. The option parser has a meaning of its own for some values: [a,b] is a list
// for it, {} an empty one, %% or nothing ends one, and ++ ends a command. Each of these can be the name of a
// file. And of --option= the next argument would be the value, not nothing.
#pragma once

#include <string>
#include <vector>

#include "option_parser.hpp"

namespace warpaes::cli {

/// What the parser is to get: such values have a mark at their end, which no argument of a program can have.
std::vector<std::string> marked_arguments(std::vector<std::string> arguments);

/// An argument that the parser is to take for an option that there is not, unless it is the value of another
/// one or follows `--`.
std::string marked_as_no_option(const std::string& argument);

/// Without the marks, if there are any.
std::string as_typed(std::string value);

/// Takes the marks from the values of all options that there are, but for the lists of add_list().
void take_values_as_typed(CLI::App& app);

/// An argument that may be given several times, as FILE.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& description);

}  // namespace warpaes::cli
