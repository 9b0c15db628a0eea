// What each program makes of its command tree: shell completions, and the manual pages that an installation
// has.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "command.hpp"
#include "completion.hpp"
#include "failure_report.hpp"
#include "manual_page.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

void write_manual_page(const std::filesystem::path& folder, const CommandRow& command) {
  const std::filesystem::path path = folder / manual_page_name(command);
  std::ofstream file(path);
  file << manual_page(command);
  if (!file.flush()) throw Refusal(ExitCode::error, shown(path.string()) + " cannot be written");
}

}  // namespace

void register_completion(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added =
      app.add_subcommand("completion", "Print the script that completes commands and options in a shell");
  added->require_subcommand(1);
  for (const CompletionRow& row : completion_table()) {
    CLI::App* const shell = added->add_subcommand(row.shell, fmt::format("The script for {}", row.shell));
    shell->callback([&app, &exit_code, &row] {
      // Not fmt::print, which throws where this may fail: who runs the command sees to that.
      std::fputs(row.script(command_tree(app)).c_str(), stdout);
      exit_code = ExitCode::done;
    });
  }
}

void register_manual(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added = app.add_subcommand("manual-pages", "Write the manual pages into a folder");
  added->group("");  // for the build, which installs them
  const auto folder = std::make_shared<std::string>();
  added->add_option("FOLDER", *folder, "Where to")->required()->option_text(" ");
  added->callback([&app, &exit_code, folder] {
    std::filesystem::create_directories(*folder);
    const CommandRow program = command_tree(app);
    for (const CommandRow* command : with_all_below(program)) {
      if (!command->starts_program) write_manual_page(*folder, *command);  // that program writes its own
    }
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
