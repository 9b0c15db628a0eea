#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpaes::cli {
namespace {

/// A text between single quotes, for bash and zsh.
std::string shell_quoted(const std::string& text) {
  std::string quote = "'";
  for (const char c : text) quote += c == '\'' ? "'\\''" : std::string(1, c);
  return quote + "'";
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// What may follow a command and is no option: the names of commands below it, or the values of an argument.
std::vector<std::string> arguments_of(const CommandRow& command) {
  std::vector<std::string> words;
  for (const CommandRow& below : command.commands) words.push_back(below.name);
  for (const OptionRow& option : command.options) {
    if (!option.is_option()) std::ranges::copy(option.choices, std::back_inserter(words));
  }
  return words;
}

std::vector<std::string> options_of(const CommandRow& command) {
  std::vector<std::string> words;
  for (const OptionRow& option : command.options) {
    if (option.is_option()) std::ranges::copy(option.names, std::back_inserter(words));
  }
  return words;
}

/// Lines of a `case` that take the words typed so far into the command that they name. What follows `help` is
/// a command's name as it is without.
std::string path_cases(const CommandRow& program) {
  std::string paths;
  for (const CommandRow* command : with_all_below(program)) {
    if (command->path != program.path)
      paths += fmt::format("{}\"{}\"", paths.empty() ? "" : "|", command->path);
  }
  return paths.empty() ? "\"\"" : paths;
}

/// For each option that takes a value: "COMMAND OPTION"|… and what there is to choose from, as a line of a
/// `case`.
/// @param chosen the line of an option with a closed list of values
/// @param file the line of another one, whose value is most often a file's name
std::string value_cases(const CommandRow& program, const char* chosen, const char* file) {
  std::string cases;
  for (const CommandRow* command : with_all_below(program)) {
    for (const OptionRow& option : command->options) {
      if (option.value.empty() || !option.is_option()) continue;
      std::string patterns;
      for (const std::string& name : option.names) {
        patterns += fmt::format("{}\"{} {}\"", patterns.empty() ? "" : "|", command->path, name);
      }
      const char* const line = option.choices.empty() ? file : chosen;
      cases += fmt::format(fmt::runtime(line), patterns, joined(option.choices));
    }
  }
  return cases;
}

/// Where it offers nothing, bash offers files (-o default).
std::string bash_script(const CommandRow& program) {
  const std::string name = program.name;
  std::string script = fmt::format(
      "# Completion of {0} for bash, made by `{0} completion bash`.\n"
      "_{0}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command={0} arguments= options= word\n"
      "  COMPREPLY=()\n"
      "  if [[ $current == = ]]; then current=; fi\n"
      "  if [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case \"${{command% help}} $word\" in {1}) command=\"${{command% help}} $word\" ;; esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n",
      name, path_cases(program));
  script += value_cases(program, "    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                        "    {}) return ;;\n");
  script += "    *) ;;\n  esac\n  case \"$command\" in\n";
  for (const CommandRow* command : with_all_below(program)) {
    script += fmt::format("    \"{}\") arguments='{}' options='{}' ;;\n", command->path,
                          joined(arguments_of(*command)), joined(options_of(*command)));
  }
  script += fmt::format(
      "    *) ;;\n  esac\n"
      "  if [[ $current == -* ]]; then arguments=$options; fi\n"
      "  COMPREPLY=($(compgen -W \"$arguments\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _{0} {0}\n",
      name);
  return script;
}

/// "name:description" for _describe, where a colon of the text's own is escaped.
std::string described(const std::string& name, const std::string& description) {
  std::string text = name + ":";
  for (const char c : description) text += c == ':' ? "\\:" : std::string(1, c);
  return shell_quoted(text);
}

/// zsh calls it where it lies on fpath; who reads it by `source` has it registered.
std::string zsh_script(const CommandRow& program) {
  std::string script = fmt::format(
      "#compdef {0}\n"
      "# Completion of {0} for zsh, made by `{0} completion zsh`.\n"
      "_{0}() {{\n"
      "  local command={0} previous=${{words[CURRENT-1]}} word\n"
      "  local -a commands options\n"
      "  if [[ $PREFIX == --*=* ]]; then\n"
      "    previous=${{PREFIX%%=*}}\n"
      "    compset -P \"$previous=\"\n"
      "  fi\n"
      "  for word in ${{words[2,CURRENT-1]}}; do\n"
      "    case \"${{command% help}} $word\" in\n"
      "      {1}) command=\"${{command% help}} $word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n",
      program.name, path_cases(program));
  script += value_cases(program, "    {}) compadd -- {}; return ;;\n", "    {}) _files; return ;;\n");
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandRow* command : with_all_below(program)) {
    std::string commands, options;
    for (const CommandRow& below : command->commands) {
      commands += " " + described(below.name, below.description);
    }
    for (const OptionRow& argument : command->options) {
      if (argument.is_option()) continue;
      for (const std::string& choice : argument.choices) commands += " " + shell_quoted(choice);
    }
    for (const OptionRow& option : command->options) {
      for (const std::string& name : option.names) {
        if (option.is_option()) options += " " + described(name, option.description);
      }
    }
    script += fmt::format("    \"{}\")\n      commands=({})\n      options=({}) ;;\n", command->path,
                          commands, options);
  }
  script += fmt::format(
      "  esac\n"
      "  if [[ ${{words[CURRENT]}} == -* ]]; then _describe -o -t options option options\n"
      "  elif (( $#commands )); then _describe -t commands command commands\n"
      "  else _files; fi\n"
      "}}\n"
      "if [[ $funcstack[1] == _{0} ]]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
      program.name);
  return script;
}

std::string fish_quoted(const std::string& text) {
  std::string quote = "'";
  for (const char c : text) quote += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quote + "'";
}

std::string fish_option(const CommandRow& program, const std::string& condition, const OptionRow& option) {
  std::string line = fmt::format("complete -c {} -n {}", program.name, condition);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) line += " -r";
  if (!option.choices.empty()) line += " -f -a " + fish_quoted(joined(option.choices));
  return line + " -d " + fish_quoted(option.description) + "\n";
}

std::string fish_script(const CommandRow& program) {
  std::string paths;
  for (const CommandRow* command : with_all_below(program)) {
    if (command->path != program.path) paths += " " + fish_quoted(command->path);
  }
  std::string script = fmt::format(
      "# Completion of {0} for fish, made by `{0} completion fish`.\n"
      "function __fish_{0}_command\n"
      "  set -l command {0}\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    set -l longer (string replace -r ' help$' '' -- $command)\" $word\"\n"
      "    if contains -- $longer{1}\n"
      "      set command $longer\n"
      "    end\n"
      "  end\n"
      "  test \"$command\" = \"$argv\"\n"
      "end\n",
      program.name, paths);
  for (const CommandRow* command : with_all_below(program)) {
    const std::string condition =
        fish_quoted(fmt::format("__fish_{} {}", program.name + "_command", command->path));
    for (const CommandRow& below : command->commands) {
      script += fmt::format("complete -c {} -n {} -f -a {} -d {}\n", program.name, condition, below.name,
                            fish_quoted(below.description));
    }
    for (const OptionRow& option : command->options) {
      if (option.is_option()) {
        script += fish_option(program, condition, option);
      } else if (!option.choices.empty()) {
        script += fmt::format("complete -c {} -n {} -f -a {} -d {}\n", program.name, condition,
                              fish_quoted(joined(option.choices)), fish_quoted(option.description));
      }
    }
  }
  return script;
}

constexpr CompletionRow kTable[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::span<const CompletionRow> completion_table() { return kTable; }

}  // namespace warpaes::cli
