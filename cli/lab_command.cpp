// lab: the literature's ways to compute AES, as lessons to read, run and measure. They are a program of their
// own, warpaes-lab, which lies beside this one if it is installed.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>

#include "command.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"

namespace warpaes::cli {
namespace {

/// Becomes warpaes-lab; returns only if it cannot.
void start_lab(std::vector<std::string> arguments) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").replace_filename("warpaes-lab");
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  if (errno != ENOENT) throw_errno("starting " + program);
  throw Refusal(ExitCode::not_found, fmt::format("the lab is not installed: there is no {}", program),
                "it is a package of its own, warpaes-lab");
}

}  // namespace

void register_lab(CLI::App& app, ExitCode&) {
  CLI::App* const lab = app.add_subcommand("lab", "Teaching kernels: read, run and measure them");
  lab->set_help_flag();  // --help is for the lab, like everything that follows
  lab->prefix_command();
  lab->final_callback([lab] { start_lab(lab->remaining()); });
}

}  // namespace warpaes::cli
