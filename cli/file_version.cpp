#include "file_version.hpp"

#include <fcntl.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "file_descriptor.hpp"
#include "shown_name.hpp"
#include "writers.hpp"

namespace warpaes::cli {
namespace {

/// When a file's status changed before and when this run took one of its names, which changes nothing in it.
struct TakenName {
  timespec before, after;
};

/// The names that were taken from files which had another one left, for each file in the order of time.
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
  if (!holds_the_same(read, now)) return false;
  timespec expected = read.st_ctim;
  if (same_time(expected, now.st_ctim)) return true;
  for (const TakenName& name : taken_names().of(read)) {
    if (same_time(name.before, expected)) expected = name.after;
  }
  return same_time(expected, now.st_ctim);
}

struct stat status_of(const FileDescriptor& file, const FilePlace& place) {
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) throw_errno(shown(place.path()));
  return status;
}

/// Is a file, which is open as a name only (O_PATH), being written to? A program that has a lease of it may
/// write to it.
bool is_being_written(const FileDescriptor& name) {
  const std::string path = path_of_descriptor(name.get());
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return file ? writers_of(file.get()) == Writers::some : errno == EWOULDBLOCK;
}

}  // namespace

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool holds_the_same(const struct stat& read, const struct stat& now) {
  return same_file(read, now) && read.st_size == now.st_size && same_time(read.st_mtim, now.st_mtim);
}

const char* const kIsBeingWritten = "is open for writing in another program";
const char* const kWasChanged = "was changed while it was read";

struct stat status_of_name(const FilePlace& place) {
  struct stat status = {};
  if (!place.status(status, AT_SYMLINK_NOFOLLOW)) throw_errno(shown(place.path()));
  return status;
}

const char* take_name_of_same_version(const struct stat& read, const FilePlace& place,
                                      const std::function<void(const struct stat& now)>& take) {
  const std::scoped_lock lock(taken_names().mutex());
  const FileDescriptor file = place.open(O_PATH | O_NOFOLLOW);
  if (!file) throw_errno(shown(place.path()));
  const bool is_file_read = same_file(read, status_of(file, place));
  if (is_file_read && is_being_written(file)) return kIsBeingWritten;
  const struct stat now = status_of(file, place);
  if (!is_same_version(read, now)) return kWasChanged;
  take(now);
  if (const struct stat after = status_of(file, place); after.st_nlink != 0) {
    taken_names().of(now).push_back({now.st_ctim, after.st_ctim});
  }
  return nullptr;
}

}  // namespace warpaes::cli
