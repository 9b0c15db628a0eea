#include "file_version.hpp"

#include "file_descriptor.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

struct stat status_of_name(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) throw_errno(shown(path));
  return status;
}

/// Who sets the time of the last write back, as some programs do, sets that of the last change. So does a
/// name that comes or goes: of two names of a file that a run removes, the first one changes the second.
bool is_same_version(const struct stat& before, const struct stat& now) {
  return before.st_dev == now.st_dev && before.st_ino == now.st_ino && before.st_size == now.st_size &&
         same_time(before.st_mtim, now.st_mtim) &&
         (same_time(before.st_ctim, now.st_ctim) || before.st_nlink != now.st_nlink);
}

}  // namespace warpaes::cli
