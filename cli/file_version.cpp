#include "file_version.hpp"

#include <fcntl.h>

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "file_descriptor.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// When a file's status changed before and when this run took one of its names, which changes nothing in it.
struct TakenName {
  timespec before, after;
};

/// Of files that had another name left, each in the order of time.
class TakenNames {
 public:
  std::mutex& mutex() { return mutex_; }
  std::vector<TakenName>& of(const struct stat& file) { return names_[{file.st_dev, file.st_ino}]; }

 private:
  std::mutex mutex_;
  std::map<std::pair<dev_t, ino_t>, std::vector<TakenName>> names_;
};

TakenNames& taken_names() {
  static TakenNames taken;
  return taken;
}

/// Who sets the time of the last write back, as some programs do, sets that of the last change. So does a
/// name that comes or goes: of two names of a file that a run removes, the first one changes the second.
bool is_same_version(const struct stat& read, const struct stat& now) {
  if (!same_file(read, now) || read.st_size != now.st_size || !same_time(read.st_mtim, now.st_mtim)) {
    return false;
  }
  timespec expected = read.st_ctim;
  if (same_time(expected, now.st_ctim)) return true;
  for (const TakenName& name : taken_names().of(read)) {
    if (same_time(name.before, expected)) expected = name.after;
  }
  return same_time(expected, now.st_ctim);
}

struct stat status_of(const FileDescriptor& file, const std::string& path) {
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) throw_errno(shown(path));
  return status;
}

}  // namespace

struct stat status_of_name(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) throw_errno(shown(path));
  return status;
}

bool take_name_of_same_version(const struct stat& read, const std::string& path,
                               const std::function<void(const struct stat& now)>& take) {
  const std::scoped_lock lock(taken_names().mutex());
  const FileDescriptor file(open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!file) throw_errno(shown(path));
  const struct stat now = status_of(file, path);
  if (!is_same_version(read, now)) return false;
  take(now);
  if (const struct stat after = status_of(file, path); after.st_nlink != 0) {
    taken_names().of(now).push_back({now.st_ctim, after.st_ctim});
  }
  return true;
}

}  // namespace warpaes::cli
