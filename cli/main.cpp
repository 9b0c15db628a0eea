#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "command.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::cli {
namespace {

constexpr RegisterCommand* kCommands[] = {
    register_encrypt,  register_decrypt, register_verify, register_inspect, register_keygen,
    register_raw,      register_kdf,     register_mac,    register_engines, register_devices,
    register_selftest, register_bench,   register_lab,
};

/// A core dump would hold keys. Not dumpable also means that no other process of the user may look in.
void forbid_core_dumps() {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
}

std::string exit_code_help() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeRow& row : exit_code_table()) {
    text += fmt::format("  {:<4} {}\n", static_cast<int>(row.code), row.meaning);
  }
  return text;
}

ExitCode run(int argc, char** argv) {
  CLI::App app("Encrypts and decrypts files with AES-GCM, on the GPU if there is one.", "warpaes");
  app.set_version_flag("--version", fmt::format("warpaes {}.{}.{}", WARPAES_VERSION_MAJOR,
                                                WARPAES_VERSION_MINOR, WARPAES_VERSION_PATCH));
  app.require_subcommand(1);
  app.footer(exit_code_help());
  ExitCode exit_code = ExitCode::done;
  for (RegisterCommand* const add : kCommands) add(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
  } catch (const CLI::ParseError& error) {
    throw Refusal(ExitCode::usage, error.what(), "warpaes --help, warpaes COMMAND --help");
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw_errno("writing standard output");
  return exit_code;
}

}  // namespace
}  // namespace warpaes::cli

int main(int argc, char** argv) {
  using namespace warpaes::cli;
  try {
    forbid_core_dumps();
    return static_cast<int>(run(argc, argv));
  } catch (...) {
    const Complaint complaint = complaint_of_current_exception("");
    print_complaint(complaint);
    // What failed may be the parsing of the options: so their text has to do.
    const bool json = std::any_of(argv, argv + argc, [](std::string_view text) { return text == "--json"; });
    if (json) print_complaint_json(complaint, "error", "");
    return static_cast<int>(complaint.code);
  }
}
