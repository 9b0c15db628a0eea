#include "typed_commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "as_typed.hpp"
#include "command_tree.hpp"
#include "failure_report.hpp"
#include "nearest_name.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

bool is_option(const std::string& argument) { return argument.starts_with('-'); }

/// "-" and "--" are options that have no name.
bool names_option(const std::string& argument) {
  return is_option(argument) && argument.find_first_not_of('-') != std::string::npos;
}

struct NamedCommand {
  const CLI::App* app;
  std::string path;                        // "warpaes kdf"
  std::span<const std::string> arguments;  // behind its name
};

const CLI::App* command_below(const CLI::App& app, const std::string& name) {
  for (const CLI::App* below : app.get_subcommands(nullptr)) {
    if (below->get_name() == name) return below;
  }
  return nullptr;
}

/// The command that the arguments name, as far as they name commands, and those behind.
NamedCommand named_command(const CLI::App& app, std::span<const std::string> arguments) {
  NamedCommand named{&app, app.get_name(), arguments};
  while (!named.arguments.empty()) {
    const CLI::App* const below = command_below(*named.app, named.arguments.front());
    if (below == nullptr) break;
    named = {below, named.path + " " + below->get_name(), named.arguments.subspan(1)};
  }
  return named;
}

std::vector<std::string> names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* below : app.get_subcommands(nullptr)) {
    if (!below->get_group().empty()) names.push_back(below->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// "256, 192 or 128"
std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); i++) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// The first option of a command that the parser's message names, or null.
const CLI::Option* option_named_in(const std::string& message, const CLI::App& app) {
  const auto options = app.get_options();
  const auto named = std::ranges::find_if(options, [&](const CLI::Option* option) {
    const std::string name = option->get_name();
    return message.starts_with(name + ": ") || message.starts_with("Could not convert: " + name + " ");
  });
  return named == options.end() ? nullptr : *named;
}

/// What is wrong with an option's value, where the parser's own words speak of its insides.
std::string told_mismatch(const CLI::Option& option, const CLI::ParseError& error) {
  const std::string name = option.get_name();
  const std::vector<std::string> choices = option_row(option).choices;
  const std::vector<std::string>& values = option.results();
  const std::string value = values.empty() ? "" : shown(as_typed(values.front()));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return values.empty() ? name + " needs a value"
                          : fmt::format("{} is given {} times, and takes one value", name, values.size());
  }
  if (option.get_items_expected_max() == 0) return fmt::format("{} takes no value, not '{}'", name, value);
  if (!choices.empty()) return fmt::format("{} takes {}, not '{}'", name, one_of(choices), value);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    return fmt::format("{} takes a number, not '{}'", name, value);
  }
  return error.what();
}

std::string without_hyphens(std::string name) {
  std::erase(name, '-');
  return name;
}

/// What is before an equals sign: "-force" of -force=yes.
std::string name_in(const std::string& argument) { return argument.substr(0, argument.find('=')); }

/// Is it --force or --key-file with one dash: -force, -forc, -key-file, -keyfile or -key? So is -help, but
/// that shows the help as it is, by -h.
bool is_long_name_with_one_dash(const std::string& argument, const CLI::App& app) {
  const std::string name = name_in(argument).substr(1);
  if (name.size() < 2 || name.starts_with('-') || name == "help") return false;
  const std::vector<std::string> long_names = option_names(app);
  return std::ranges::any_of(long_names, [&](const std::string& with_dashes) {
    const std::string long_name = with_dashes.substr(2);
    const bool is_beginning = name.size() > 2 && long_name.starts_with(name);
    return is_beginning || long_name == name || without_hyphens(long_name) == name;
  });
}

bool is_flag(const std::string& name, const CLI::App& app) {
  const CLI::Option* const option = app.get_option_no_throw(name);
  return option != nullptr && option->get_items_expected_max() == 0;
}

/// As --force=no, -f=no and -qf=no do.
bool gives_value_to_flag(const std::string& argument, const CLI::App& app) {
  const std::string name = name_in(argument);
  if (name == argument || !names_option(name)) return false;
  if (name.starts_with("--")) return is_flag(name, app);
  return std::ranges::all_of(name.substr(1),
                             [&](char letter) { return is_flag(std::string("-") + letter, app); });
}

/// The first argument that looks like an option, and is none of this command's, where that is what the parser
/// did not like, or why it lacks another one: the name of a file may begin so.
std::string unknown_option(const NamedCommand& command, const CLI::ParseError& error) {
  const bool is_why = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                      dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!is_why) return {};
  for (const std::string& argument : command.app->remaining()) {
    if (argument == "--") break;
    if (is_option(argument) && argument != "-") return as_typed(argument);
  }
  return {};
}

/// The parser misses something, or dislikes a value. Is that because an option has taken the next one for its
/// value, as the -e (--engine) of `raw -e -m gcm` has? Else null.
const CLI::Option* option_that_took_another(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
      dynamic_cast<const CLI::RequiredError*>(&error) == nullptr &&
      dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) {
    return nullptr;
  }
  const auto options = app.get_options();
  const auto took = std::ranges::find_if(options, [&](const CLI::Option* option) {
    if (option->get_positional() || option->results().empty()) return false;
    const std::string value = as_typed(option->results().front());
    return names_option(value) && app.get_option_no_throw(value) != nullptr;
  });
  return took == options.end() ? nullptr : *took;
}

/// The first argument that is no option and that no command takes, or nothing.
std::optional<std::string> superfluous_argument(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return std::nullopt;
  for (const std::string& argument : app.remaining(/*recurse=*/true)) {
    if (argument != "--") return as_typed(argument);
  }
  return std::nullopt;
}

[[noreturn]] void refuse_option(const NamedCommand& command, const std::string& argument) {
  const std::string name = name_in(argument);
  const std::string help = command.path + " --help";
  std::error_code unknown;
  const bool is_file = std::filesystem::exists(argument, unknown);
  const std::string with_two_dashes = name.starts_with("--") ? name : "-" + name;
  throw Refusal(
      ExitCode::usage,
      gives_value_to_flag(argument, *command.app)
          ? fmt::format("{} takes no value, not '{}'", name, shown(argument.substr(name.size() + 1)))
          : fmt::format("{} has no option '{}'{}", command.path, shown(name),
                        did_you_mean(with_two_dashes, option_names(*command.app))),
      is_file ? fmt::format("the file of that name is {}; {}", shown("./" + argument), help) : help);
}

/// An option where a command should be: `warpaes --json verify FILE`, or `warpaes --encrypt FILE`.
[[noreturn]] void refuse_option_of_no_command(const NamedCommand& command, const std::string& argument,
                                              const std::string& hint) {
  const std::string name = name_in(argument);
  std::string meant = did_you_mean(name, option_names(*command.app));
  const std::string letters = name.substr(name.find_first_not_of('-'));
  if (meant.empty() && letters.size() > 1) meant = did_you_mean(letters, names_below(*command.app));
  throw Refusal(ExitCode::usage, fmt::format("{} has no option '{}'{}", command.path, shown(name), meant),
                hint + "; the options of a command stand behind its name");
}

}  // namespace

std::string typed_command(const CLI::App& app, std::span<const std::string> arguments) {
  return named_command(app, arguments).path;
}

void add_help_command(CLI::App& app) {
  std::vector<std::string> names = names_below(app);
  CLI::App* const help = app.add_subcommand("help", "Say what a command does and which options it has");
  help->add_option("COMMAND")
      ->expected(0, -1)
      ->type_name(fmt::format("{}", fmt::join(names, "|")))  // what completions offer
      ->description("The command, `help COMMAND`; without one, all are listed")
      ->option_text("...");
}

std::vector<std::string> without_help_command(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  if (arguments.size() > 1 && is_option(arguments[1])) return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

void refuse_help_of_more(const CLI::App& app, std::span<const std::string> typed,
                         std::span<const std::string> arguments) {
  if (typed.empty() || typed.front() != "help") return;
  const NamedCommand command = named_command(app, arguments);
  if (command.app == &app || command.arguments.empty() || is_option(command.arguments.front())) return;
  if (command.app->get_prefix_command()) return;  // the lab's commands are those of another program
  throw Refusal(ExitCode::usage,
                fmt::format("help is of one command, and '{}' is none of {}",
                            shown(command.arguments.front()), command.path),
                command.path + " --help");
}

void refuse_unknown_command(const CLI::App& app, std::span<const std::string> arguments) {
  const NamedCommand command = named_command(app, arguments);
  if (command.app->get_require_subcommand_min() == 0) return;
  const std::string hint = command.path + " --help lists the commands";
  // --help and --version need no command.
  const auto asks = [](const std::string& argument) {
    return argument == "--help" || argument == "-h" || argument == "--version" || argument == "-V";
  };
  if (std::ranges::any_of(command.arguments, asks) && is_option(command.arguments.front())) return;
  if (command.arguments.empty() || is_option(command.arguments.front())) {
    const bool encrypts = command_below(*command.app, "encrypt") != nullptr;
    const std::string first_steps =
        hint + (encrypts ? "; `warpaes encrypt -p FILE` encrypts a file by a passphrase" : "");
    if (!command.arguments.empty() && names_option(command.arguments.front())) {
      refuse_option_of_no_command(command, command.arguments.front(), first_steps);
    }
    throw Refusal(ExitCode::usage, "no command was given", first_steps);
  }
  const std::string& typed = command.arguments.front();
  const bool is_option_too = command.app->get_option_no_throw("--" + typed) != nullptr;
  throw Refusal(ExitCode::usage,
                fmt::format("no command '{}'{}", shown(typed),
                            is_option_too ? fmt::format("; did you mean '--{}'?", typed)
                                          : did_you_mean(typed, names_below(*command.app))),
                hint);
}

std::vector<std::string> with_marked_mistakes(const CLI::App& app, std::vector<std::string> arguments) {
  const NamedCommand command = named_command(app, arguments);
  for (std::string& argument : std::span(arguments).last(command.arguments.size())) {
    if (!is_option(argument)) continue;
    const bool is_mistake =
        is_long_name_with_one_dash(argument, *command.app) || gives_value_to_flag(argument, *command.app);
    if (is_mistake) argument = marked_as_no_option(argument);
  }
  return arguments;
}

void refuse_arguments(const CLI::App& app, std::span<const std::string> arguments,
                      const CLI::ParseError& error) {
  const NamedCommand command = named_command(app, arguments);
  if (const std::string unknown = unknown_option(command, error); !unknown.empty()) {
    refuse_option(command, unknown);
  }
  if (const CLI::Option* const took = option_that_took_another(*command.app, error)) {
    throw Refusal(ExitCode::usage,
                  fmt::format("{} needs a value, and took '{}' for it", took->get_name(false, true),
                              as_typed(took->results().front())),
                  command.path + " --help");
  }
  if (const auto superfluous = superfluous_argument(app, error)) {
    throw Refusal(ExitCode::usage, fmt::format("{} has no use for '{}'", command.path, shown(*superfluous)),
                  command.path + " --help");
  }
  const CLI::Option* const option = option_named_in(error.what(), *command.app);
  throw Refusal(ExitCode::usage, option == nullptr ? error.what() : told_mismatch(*option, error),
                command.path + " --help");
}

}  // namespace warpaes::cli
