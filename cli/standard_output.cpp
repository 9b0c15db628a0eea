#include "standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure_report.hpp"
#include "file_version.hpp"
#include "input_file.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

bool is_standard_output(const struct stat& file) {
  struct stat output = {};
  return fstat(STDOUT_FILENO, &output) == 0 && S_ISREG(output.st_mode) && same_file(output, file);
}

[[noreturn]] void refuse_standard_output(const std::string& message) {
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere) dup2(nowhere.get(), STDOUT_FILENO);
  throw Refusal(ExitCode::usage, message, "send standard output to another file");
}

}  // namespace

bool is_standard_output(const std::string& path) {
  struct stat file = {};
  const int failed = is_standard_stream(path) ? fstat(STDIN_FILENO, &file) : stat(path.c_str(), &file);
  return failed == 0 && is_standard_output(file);
}

void require_no_standard_output(const std::string& input) {
  if (!is_standard_output(input)) return;
  const std::string name = is_standard_stream(input) ? "standard input" : shown(input);
  refuse_standard_output(name + " is both input and output: standard output goes to it");
}

void require_no_standard_output(const SparedFiles& needed) {
  for (const SparedFile& file : needed) {
    if (!is_standard_output(file.status)) continue;
    refuse_standard_output(
        fmt::format("standard output is the file that holds {}, which would be overwritten", file.holds));
  }
}

}  // namespace warpaes::cli
