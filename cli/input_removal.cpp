#include "input_removal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "failure_report.hpp"
#include "file_version.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

void require_removable(const FilePlace& place) {
  const std::string& path = place.path();
  const struct stat status = status_of_name(place);
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

void require_no_writers(InputFile& input, const char* going) {
  if (input.watch() != Writers::some) return;
  throw Refusal(ExitCode::error,
                fmt::format("{} {}, and would be {}: nothing was made of it", shown(input.name()),
                            kIsBeingWritten, going),
                "do it again when that has closed it");
}

void remove_input(const InputFile& input) {
  const FilePlace& place = input.place();
  const std::string path = shown(place.path());
  const auto remove = [&](const struct stat& now) {
    if (now.st_nlink > 1) {
      print_warning(fmt::format("{} has {} names: what is in it stays under the others", path,
                                static_cast<uint64_t>(now.st_nlink)));
    }
    if (!place.remove()) throw_errno("removing " + path + ", whose output is there");
  };
  const char* const why_not = take_name_of_same_version(input.status(), place, remove);
  if (why_not == nullptr) return;
  throw Refusal(
      ExitCode::error,
      fmt::format("{} {}, and is not removed: its output is there, and of what it was", path, why_not),
      "do it again when nothing changes it any more");
}

}  // namespace warpaes::cli
