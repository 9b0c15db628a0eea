#include "command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace warpaes::cli {
namespace {

/// "none|sample|full (sample)" gives the three; a text that lists nothing, or not all of it, none.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices(1);
  for (const char c : value.substr(0, value.find(' '))) {
    const bool of_word = std::islower(static_cast<unsigned char>(c)) ||
                         std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    if (c == '|') {
      choices.emplace_back();
    } else if (of_word) {
      choices.back() += c;
    } else {
      return {};
    }
  }
  return choices.size() > 1 ? choices : std::vector<std::string>{};
}

/// CLI11 gives a command its parent's, unless it has one, to which that of the parent may have been appended.
std::string own_footer(const CLI::App& app) {
  std::string footer = app.get_footer();
  const std::string inherited = app.get_parent() == nullptr ? "" : app.get_parent()->get_footer();
  if (inherited.empty() || !footer.ends_with(inherited)) return footer;
  std::string own = footer.substr(0, footer.size() - inherited.size());
  while (own.ends_with('\n')) own.pop_back();
  return own;
}

CommandRow tree_below(const CLI::App& app, const CommandRow* parent) {
  CommandRow command;
  command.program = parent == nullptr ? app.get_name() : parent->program;
  command.path = parent == nullptr ? app.get_name() : parent->path + " " + app.get_name();
  command.name = app.get_name();
  command.description = app.get_description();
  command.footer = own_footer(app);
  command.starts_program = app.get_prefix_command();
  for (const CLI::Option* option : app.get_options()) command.options.push_back(option_row(*option));
  for (const CLI::App* below : app.get_subcommands(nullptr)) {
    if (!below->get_group().empty()) command.commands.push_back(tree_below(*below, &command));
  }
  return command;
}

/// What stands behind an option as its value, as --help has it.
std::string value_of(const CLI::Option& option) {
  if (!option.get_option_text().empty() || option.get_positional()) return option.get_option_text();
  const std::string usual = option.get_default_str();
  return option.get_type_name() + (usual.empty() ? "" : "=" + usual);
}

}  // namespace

OptionRow option_row(const CLI::Option& option) {
  OptionRow row{{}, value_of(option), {}, option.get_description(), option.get_required()};
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  if (row.names.empty()) row.names.push_back(option.get_name());
  if (row.value.find_first_not_of(' ') == std::string::npos) row.value.clear();
  if (option.get_items_expected_max() == 0) row.value.clear();
  row.choices = choices_of(row.value);
  // Where help has another text ("NAME"), the type's name may list what there is.
  if (row.choices.empty() && option.get_items_expected_max() != 0)
    row.choices = choices_of(option.get_type_name());
  return row;
}

std::string hyphenated(std::string path) {
  std::ranges::replace(path, ' ', '-');
  return path;
}

CommandRow command_tree(const CLI::App& app) { return tree_below(app, nullptr); }

std::vector<const CommandRow*> with_all_below(const CommandRow& command) {
  std::vector<const CommandRow*> rows = {&command};
  for (const CommandRow& below : command.commands)
    std::ranges::copy(with_all_below(below), std::back_inserter(rows));
  return rows;
}

}  // namespace warpaes::cli
