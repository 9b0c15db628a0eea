#include "manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exit_code.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::cli {
namespace {

/// Text as roff shows it unchanged: hyphens stay ASCII, no line begins with a request, and one may end behind
/// a bar, as lists of choices are long.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '|') {
      escaped += "|\\:";
    } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) {
      escaped += std::string("\\&") + c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string synopsis(const CommandRow& command) {
  std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", roff(command.path));
  for (const OptionRow& option : command.options) {
    if (option.is_option()) continue;
    const std::string argument = fmt::format("\\fI{}\\fR{}", roff(option.names[0]), option.value);
    text += option.required ? " " + argument : fmt::format(" [{}]", argument);
  }
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR";
  return text + "\n";
}

std::string option_paragraph(const OptionRow& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names +=
        fmt::format("{}\\f{}{}\\fR", names.empty() ? "" : ", ", option.is_option() ? 'B' : 'I', roff(name));
  }
  if (option.is_option() && !option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.description));
}

std::string exit_codes() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : exit_code_table()) {
    text += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(row.code), roff(row.meaning));
  }
  return text;
}

std::string commands_below(const CommandRow& command) {
  std::string text = ".SH COMMANDS\n";
  for (const CommandRow& below : command.commands) {
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(hyphenated(below.path)), roff(below.description));
  }
  return text;
}

/// The program that the command is one of; of a program, the one that starts it.
std::string see_also(const CommandRow& command) {
  const std::string& program = command.program;
  const std::string above = command.is_program() ? program.substr(0, program.find(' ')) : program;
  if (above == command.path) return "";
  return fmt::format(".SH SEE ALSO\n.BR {} (1)\n", roff(hyphenated(above)));
}

}  // namespace

std::string manual_page_name(const CommandRow& command) { return hyphenated(command.path) + ".1"; }

std::string manual_page(const CommandRow& command) {
  const std::string name = hyphenated(command.path);
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string page = fmt::format(".TH {} 1 \"\" \"WarpAES {}.{}.{}\" \"User Commands\"\n", roff(title),
                                 WARPAES_VERSION_MAJOR, WARPAES_VERSION_MINOR, WARPAES_VERSION_PATCH);
  page += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", roff(name), roff(command.description),
                      synopsis(command));
  // The program's own footer is the table of exit codes, which has a section.
  if (!command.is_program() && !command.footer.empty())
    page += ".SH DESCRIPTION\n" + roff(command.footer) + "\n";
  if (!command.commands.empty()) page += commands_below(command);
  page += ".SH OPTIONS\n";
  for (const OptionRow& option : command.options) page += option_paragraph(option);
  return page + exit_codes() + see_also(command);
}

}  // namespace warpaes::cli
