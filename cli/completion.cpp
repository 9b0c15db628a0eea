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

/// The function that completes a program, and what belongs to it: "_warpaes_lab".
std::string function_of(const std::string& program) {
  std::string name = "_" + program;
  std::ranges::replace(name, ' ', '_');
  return name;
}

/// Lines of a `case` that hand what follows over to the completion of another program.
/// @param line the shell's, of a command's path, the program that it starts, and function_of() that
std::string cases_of_programs(const CommandRow& program, const char* line) {
  std::string cases;
  for (const CommandRow* command : with_all_below(program)) {
    if (!command->starts_program) continue;
    cases +=
        fmt::format(fmt::runtime(line), command->path, hyphenated(command->path), function_of(command->path));
  }
  return cases;
}

/// Lines of a `case` that take the words typed so far into the command that they name. What follows `help` is
/// a command's name as it is without.
std::string path_cases(const CommandRow& program) {
  std::string paths;
  for (const CommandRow* command : with_all_below(program)) {
    if (!command->is_program() && !command->starts_program)
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

/// Where the other program is not installed, nothing is offered. Its completion is loaded as bash-completion
/// does it: by _comp_load from 2.12 on, by the other one before.
constexpr const char* kBashProgram =
    "      \"{0}\")\n"
    "        for word in _comp_load __load_completion; do\n"
    "          if ! declare -F {2} && declare -F $word; then $word {1}; fi\n"
    "        done &> /dev/null\n"
    "        COMP_WORDS=({1} \"${{COMP_WORDS[@]:place+1}}\")\n"
    "        COMP_CWORD=$((COMP_CWORD - place))\n"
    "        if declare -F {2} > /dev/null; then {2}; fi\n"
    "        return ;;\n";

/// Where it offers nothing, bash offers files (-o default).
std::string bash_script(const CommandRow& program) {
  std::string script = fmt::format(
      "# Completion of {0} for bash, made by `{0} completion bash`.\n"
      "{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command='{0}' arguments= options= word place=0\n"
      "  COMPREPLY=()\n"
      "  if [[ $current == = ]]; then current=; fi\n"
      "  if [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    place=$((place + 1))\n"
      "    case \"${{command% help}} $word\" in\n"
      "{2}"
      "      {3}) command=\"${{command% help}} $word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n",
      program.path, function_of(program.path), cases_of_programs(program, kBashProgram), path_cases(program));
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
      "complete -o default -F {} {}\n",
      function_of(program.path), hyphenated(program.path));
  return script;
}

/// "name:description" for _describe, where a colon of the text's own is escaped.
std::string described(const std::string& name, const std::string& description) {
  std::string text = name + ":";
  for (const char c : description) text += c == ':' ? "\\:" : std::string(1, c);
  return shell_quoted(text);
}

constexpr const char* kZshProgram =
    "      \"{0}\")\n"
    "        words=({1} \"${{(@)words[place+2,-1]}}\")\n"
    "        (( CURRENT -= place ))\n"
    "        if (( $+functions[{2}] )); then {2}; fi\n"
    "        return ;;\n";

/// zsh calls it where it lies on fpath; who reads it by `source` has it registered.
std::string zsh_script(const CommandRow& program) {
  std::string script = fmt::format(
      "#compdef {4}\n"
      "# Completion of {0} for zsh, made by `{0} completion zsh`.\n"
      "{1}() {{\n"
      "  local command='{0}' previous=${{words[CURRENT-1]}} word place=0\n"
      "  local -a commands options\n"
      "  for word in \"${{(@)words[2,CURRENT-1]}}\"; do\n"
      "    (( place += 1 ))\n"
      "    case \"${{command% help}} $word\" in\n"
      "{2}"
      "      {3}) command=\"${{command% help}} $word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  if [[ $PREFIX == --*=* ]]; then\n"
      "    previous=${{PREFIX%%=*}}\n"
      "    compset -P \"$previous=\"\n"
      "  fi\n"
      "  case \"$command $previous\" in\n",
      program.path, function_of(program.path), cases_of_programs(program, kZshProgram), path_cases(program),
      hyphenated(program.path));
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
      "if [[ $funcstack[1] == {0} ]]; then {0} \"$@\"; else compdef {0} {1}; fi\n",
      function_of(program.path), hyphenated(program.path));
  return script;
}

std::string fish_quoted(const std::string& text) {
  std::string quote = "'";
  for (const char c : text) quote += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quote + "'";
}

std::string fish_option(const CommandRow& program, const std::string& condition, const OptionRow& option) {
  std::string line = fmt::format("complete -c {} -n {}", hyphenated(program.path), condition);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) line += " -r";
  if (!option.choices.empty()) line += " -f -a " + fish_quoted(joined(option.choices));
  return line + " -d " + fish_quoted(option.description) + "\n";
}

/// The words behind the command are the other program's.
std::string fish_program(const CommandRow& command, const std::string& condition) {
  const std::string program = hyphenated(command.path), function = "__fish" + function_of(command.path);
  return fmt::format(
      "function {0}\n"
      "  set -l words (commandline -opc)\n"
      "  set -l place (contains -i -- {2} $words)\n"
      "  set -l typed (string escape -- {1} $words[(math $place + 1)..-1])\n"
      "  set -l token (commandline -ct)\n"
      "  complete -C \"$typed $token\"\n"
      "end\n"
      "complete -c {3} -n {4} -f -a '({0})'\n",
      function, program, command.name, hyphenated(command.program), condition);
}

std::string fish_command(const CommandRow& program, const CommandRow& command) {
  const std::string condition =
      fish_quoted(fmt::format("__fish{}_command {}", function_of(program.path), command.path));
  if (command.starts_program) return fish_program(command, condition);
  const std::string line = fmt::format("complete -c {} -n {} -f -a ", hyphenated(program.path), condition);
  std::string script;
  for (const CommandRow& below : command.commands) {
    script += fmt::format("{}{} -d {}\n", line, below.name, fish_quoted(below.description));
  }
  for (const OptionRow& option : command.options) {
    if (option.is_option()) {
      script += fish_option(program, condition, option);
    } else if (!option.choices.empty()) {
      script += fmt::format("{}{} -d {}\n", line, fish_quoted(joined(option.choices)),
                            fish_quoted(option.description));
    }
  }
  return script;
}

std::string fish_script(const CommandRow& program) {
  std::string paths;
  for (const CommandRow* command : with_all_below(program)) {
    if (!command->is_program()) paths += " " + fish_quoted(command->path);
  }
  std::string script = fmt::format(
      "# Completion of {0} for fish, made by `{0} completion fish`.\n"
      "function __fish{1}_command\n"
      "  set -l command '{0}'\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    set -l longer (string replace -r ' help$' '' -- $command)\" $word\"\n"
      "    if contains -- $longer{2}\n"
      "      set command $longer\n"
      "    end\n"
      "  end\n"
      "  test \"$command\" = \"$argv\"\n"
      "end\n",
      program.path, function_of(program.path), paths);
  for (const CommandRow* command : with_all_below(program)) script += fish_command(program, *command);
  return script;
}

constexpr CompletionRow kTable[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::span<const CompletionRow> completion_table() { return kTable; }

}  // namespace warpaes::cli
