#include "share.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace warpaes::core::conformance {
namespace {

struct Process {
  pid_t id;
  int scores;  // the reading end of a pipe
};

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int file, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written < 0) throw_errno("writing scores");
    at += static_cast<size_t>(written);
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 65536> part;
  for (;;) {
    const ssize_t got = read(file, part.data(), part.size());
    if (got < 0) throw_errno("reading scores");
    if (got == 0) return text;
    text.append(part.data(), static_cast<size_t>(got));
  }
}

/// The child: never returns.
[[noreturn]] void work(int scores, const Share& share, const std::function<Scorecard(Share)>& run) {
  int code = EXIT_FAILURE;
  try {
    write_all(scores, run(share).to_json());
    code = EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpaes_conformance: error: %s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(code);
}

Process start(const Share& share, const std::function<Scorecard(Share)>& run) {
  int ends[2];
  if (pipe(ends) != 0) throw_errno("pipe");
  std::fflush(nullptr);
  const pid_t id = fork();
  if (id < 0) throw_errno("fork");
  if (id == 0) {
    close(ends[0]);
    work(ends[1], share, run);
  }
  close(ends[1]);
  return {id, ends[0]};
}

}  // namespace

Scorecard in_processes(unsigned count, const std::function<Scorecard(Share)>& run) {
  std::vector<Process> processes;
  for (unsigned index = 0; index < count; index++) processes.push_back(start(Share(index, count), run));
  Scorecard sum({});
  bool all_ended_well = true;
  for (const Process& process : processes) {
    const std::string scores = read_all(process.scores);
    close(process.scores);
    int status = 0;
    if (waitpid(process.id, &status, 0) < 0) throw_errno("waitpid");
    const bool well = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    if (well) sum.add(Scorecard::from_json(scores));
    all_ended_well = all_ended_well && well;
  }
  if (!all_ended_well) throw std::runtime_error("a process of the run ended before its work did");
  return sum;
}

}  // namespace warpaes::core::conformance
