// warpaes lab: what the lab holds. Nothing of it is for production.
#include "lab_commands.hpp"

namespace warpaes::cli {

void register_lab(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const lab = app.add_subcommand("lab", "Lessons: how AES is computed, and what that shows");
  lab->require_subcommand(1);
  register_lab_penguin(*lab, exit_code);
}

}  // namespace warpaes::cli
