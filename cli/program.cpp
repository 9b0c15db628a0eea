#include "program.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "as_typed.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "interrupt.hpp"
#include "standard_output.hpp"
#include "standard_streams.hpp"
#include "typed_commands.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::cli {
namespace {

/// A core dump would hold keys. Not dumpable also means that no other process of the user may look in.
void forbid_core_dumps() {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
}

/// CLI11 and the C++ library have functions that may not throw and need memory all the same: where there is
/// none, the program ends here, and the C++ library does not always keep the exception that says so. Nothing
/// may be allocated then. Outputs have no name yet.
[[noreturn]] void end_without_memory() {
  std::string_view message = "warpaes: error: ended by the C++ library, as it does when there is no memory\n";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    message = "warpaes: error: out of memory\n";
  } catch (...) {
    std::abort();
  }
  const ssize_t told = write(STDERR_FILENO, message.data(), message.size());
  (void)told;  // there is nobody else to tell
  _exit(static_cast<int>(ExitCode::error));
}

/// Before the constructors of static objects, of which the parser has some: they need memory, too.
[[gnu::constructor(101)]] void end_well_without_memory() { std::set_terminate(end_without_memory); }

/// libcrypto would otherwise make a table of the names of all its algorithms, for functions that nobody calls
/// here, when the first cipher is wanted. That takes as long as all that is done with a short file.
void leave_out_names_of_algorithms() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ADD_ALL_CIPHERS | OPENSSL_INIT_NO_ADD_ALL_DIGESTS, nullptr);
}

std::string exit_code_help() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeRow& row : exit_code_table()) {
    text += fmt::format("  {:<4} {}\n", static_cast<int>(row.code), row.meaning);
  }
  return text;
}

/// Only the command that is named: all of them take 14,000 allocations, as long as a short file's encryption.
void add_commands(const Program& program, const std::vector<std::string>& arguments, CLI::App& app,
                  ExitCode& exit_code) {
  const auto named = arguments.empty()
                         ? program.commands.end()
                         : std::ranges::find(program.commands, arguments.front(),
                                             [](const ProgramCommand& row) { return row.name; });
  if (named != program.commands.end() && !named->reads_all) return named->add(app, exit_code);
  for (const ProgramCommand& command : program.commands) command.add(app, exit_code);
  add_help_command(app);
}

ExitCode parse_and_run(const Program& program, int argc, char** argv) {
  CLI::App app(program.purpose, program.name);
  app.set_version_flag("-V,--version", fmt::format("warpaes {}.{}.{}", WARPAES_VERSION_MAJOR,
                                                   WARPAES_VERSION_MINOR, WARPAES_VERSION_PATCH));
  app.require_subcommand(1);
  app.footer(exit_code_help());
  ExitCode exit_code = ExitCode::done;
  const std::vector<std::string> typed{argv + std::min(argc, 1), argv + argc};
  const std::vector<std::string> arguments = without_help_command(typed);
  add_commands(program, arguments, app, exit_code);
  refuse_unknown_command(app, arguments);
  refuse_help_of_more(app, typed, arguments);
  hint_at_help_of(typed_command(app, arguments));
  take_values_as_typed(app);
  std::vector<std::string> backwards = marked_arguments(with_marked_mistakes(app, arguments));
  std::ranges::reverse(backwards);  // as CLI11 wants it
  try {
    app.parse(std::move(backwards));
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
  } catch (const CLI::ParseError& error) {
    refuse_arguments(app, arguments, error);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw_errno("writing standard output");
  return exit_code;
}

Complaint complaint_of(const Program& program) {
  try {
    program.rethrow();
  } catch (...) {
    return complaint_of_current_exception("");
  }
  std::abort();  // it has thrown
}

/// Is standard output a file that holds something, and that an argument behind the command names? An error
/// line would be appended to it, as by `verify FILE --json --mistyped >> FILE`: a command that runs refuses
/// such an output, and one that is mistyped does not come as far.
bool appends_to_argument(std::span<char* const> arguments) {
  struct stat output = {};
  if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISREG(output.st_mode) || output.st_size == 0) return false;
  return arguments.size() > 2 && std::ranges::any_of(arguments.subspan(2), [](std::string_view argument) {
           const size_t value = argument.starts_with("--") ? argument.find('=') + 1 : 0;  // 0 without one
           return is_standard_output(std::string(argument.substr(value)));
         });
}

int result_of(const Program& program, int argc, char** argv) {
  occupy_closed_standard_streams();
  const std::span<char* const> arguments(argv, static_cast<size_t>(argc));
  // What fails may be the parsing of the options: so their text has to do.
  const bool json = std::ranges::any_of(arguments, [](std::string_view text) { return text == "--json"; });
  const bool has_place_for_error = json && !appends_to_argument(arguments);
  // A file size limit becomes an error of write(2), so that it is told and what is unfinished is removed.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    end_by_signals(has_place_for_error ? json_line_of(interrupted_complaint(), "error", "") : "");
    forbid_core_dumps();
    leave_out_names_of_algorithms();
    return static_cast<int>(parse_and_run(program, argc, argv));
  } catch (...) {
    // The exit code is to be told even if nobody reads the message any more.
    std::signal(SIGPIPE, SIG_IGN);
    const Complaint complaint = complaint_of(program);
    print_complaint(complaint);
    if (has_place_for_error) print_complaint_json(complaint, "error", "");
    return static_cast<int>(complaint.code);
  }
}

}  // namespace

/// Output has been flushed, and secrets were wiped where they were used. Libraries would now free all they
/// have, which the system does anyway, and which takes a good part of the time of a short file.
void run_program(const Program& program, int argc, char** argv) { _exit(result_of(program, argc, argv)); }

}  // namespace warpaes::cli
