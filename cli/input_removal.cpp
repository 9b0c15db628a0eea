#include "input_removal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::core::cli {
namespace {

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Is it the file that was read, as it was then? What was written to it since is not in the output.
bool unchanged(const struct stat& before, const struct stat& now) {
  return before.st_dev == now.st_dev && before.st_ino == now.st_ino && before.st_size == now.st_size &&
         same_time(before.st_mtim, now.st_mtim);
}

}  // namespace

void require_removable(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) throw_errno(shown(path));
  if (S_ISLNK(status.st_mode)) {
    throw Refusal(
        ExitCode::error,
        shown(path) + " is a symbolic link: --rm would remove it and leave the file that it leads to",
        "name that file, or leave out --rm");
  }
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    throw Refusal(ExitCode::error, shown(path) + " is not a file, and --rm removes nothing else",
                  "leave out --rm");
  }
}

void remove_input(const InputFile& input) {
  const std::string& path = input.name();
  struct stat now = {};
  if (lstat(path.c_str(), &now) != 0) throw_errno("removing " + shown(path));
  if (!unchanged(input.status(), now)) {
    throw Refusal(ExitCode::error,
                  shown(path) +
                      " was changed while it was read, and is not removed: its output is there, "
                      "and of what it was",
                  "do it again when nothing changes it any more");
  }
  if (now.st_nlink > 1) {
    print_warning(fmt::format("{} has {} names: what is in it stays under the others", shown(path),
                              static_cast<uint64_t>(now.st_nlink)));
  }
  if (unlink(path.c_str()) != 0) throw_errno("removing " + shown(path));
}

}  // namespace warpaes::core::cli
