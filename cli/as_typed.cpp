#include "as_typed.hpp"

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

namespace warpaes::cli {
namespace {

constexpr char kMark = '\0';
/// Before an argument: with it, its name is none that an option can have.
constexpr std::string_view kNoOption{"--?\0", 4};
constexpr std::string_view kEndings = "]}%";  // of what the parser gives a meaning

/// --option= with nothing behind it, for which the parser would take the next argument.
bool is_empty_value(std::string_view argument) {
  return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
}

bool is_special(std::string_view argument) {
  return argument == "++" ||  // which ends a command for the parser
         kEndings.find(argument.back()) != std::string_view::npos;
}

bool is_list(const CLI::Option& option) {
  return option.get_positional() && option.get_items_expected_max() > 1;
}

}  // namespace

std::vector<std::string> marked_arguments(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument.empty() || is_empty_value(argument) || is_special(argument)) argument += kMark;
  }
  return arguments;
}

std::string marked_as_no_option(const std::string& argument) { return std::string(kNoOption) + argument; }

std::string as_typed(std::string value) {
  if (value.ends_with(kMark)) value.pop_back();
  if (value.starts_with(kNoOption)) value.erase(0, kNoOption.size());
  return value;
}

void take_values_as_typed(CLI::App& app) {
  for (CLI::Option* const option : app.get_options(nullptr)) {
    if (!is_list(*option)) option->transform(as_typed, "");  // before all other checks
  }
  for (CLI::App* const below : app.get_subcommands(nullptr)) take_values_as_typed(*below);
}

/// The mark is there until the parser has done with the list.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& description) {
  return command.add_option_function<std::vector<std::string>>(
      name,
      [&values](const std::vector<std::string>& marked) {
        values.clear();
        for (const std::string& value : marked) values.push_back(as_typed(value));
      },
      description);
}

}  // namespace warpaes::cli
