#include "mapped_input.hpp"

#include <unistd.h>

#include <csignal>

#include "exit_code.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

// What the handler of the signal needs, which may call hardly anything.
std::string complaint;
struct sigaction before = {};

void on_missing_page(int) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, complaint.data(), complaint.size());
  _exit(static_cast<int>(ExitCode::error));
}

}  // namespace

MappedInput::MappedInput(int file, const std::string& name, uint64_t begin, uint64_t bytes)
    : pages_(FilePages::to_read(file, begin + bytes)) {
  if (pages_.bytes().empty()) return;
  bytes_ = pages_.bytes().subspan(begin);
  complaint = "warpaes: error: " + shown(name) +
              " became shorter while it was read, or cannot be read any more\n"
              "warpaes: hint: try again when nothing changes it any more\n";
  struct sigaction action = {};
  action.sa_handler = on_missing_page;
  sigaction(SIGBUS, &action, &before);
}

MappedInput::~MappedInput() {
  if (!bytes_.empty()) sigaction(SIGBUS, &before, nullptr);
}

}  // namespace warpaes::cli
