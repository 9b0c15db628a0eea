#include "input_removal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "failure_report.hpp"
#include "file_version.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

void require_removable(const std::string& path) {
  const struct stat status = status_of_name(path);
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
  const auto remove = [&](const struct stat& now) {
    if (now.st_nlink > 1) {
      print_warning(fmt::format("{} has {} names: what is in it stays under the others", shown(path),
                                static_cast<uint64_t>(now.st_nlink)));
    }
    if (unlink(path.c_str()) != 0) throw_errno("removing " + shown(path) + ", whose output is there");
  };
  if (take_name_of_same_version(input.status(), path, remove)) return;
  throw Refusal(ExitCode::error,
                shown(path) +
                    " was changed while it was read, and is not removed: its output is there, and of "
                    "what it was",
                "do it again when nothing changes it any more");
}

}  // namespace warpaes::cli
