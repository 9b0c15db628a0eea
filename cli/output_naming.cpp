// How an output gets its name.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "file_version.hpp"
#include "name_on_disk.hpp"
#include "output_file.hpp"

namespace warpaes::cli {
namespace {

/// What a temporary name begins with: the path, whose last part is cut at the end of a UTF-8 character if
/// `room` more bytes would make it longer than names may be.
std::string temporary_stem(const std::string& path, size_t room) {
  const size_t slash = path.rfind('/');
  const size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  size_t length = std::min<size_t>(path.size() - name_at, NAME_MAX - room);
  const auto continues = [&](size_t at) { return (static_cast<uint8_t>(path[at]) & 0xc0) == 0x80; };
  while (name_at + length < path.size() && length > 0 && continues(name_at + length)) length--;
  return path.substr(0, name_at + length);
}

/// ".XXXXXX", as mkstemp(3) has it.
std::string random_ending() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr size_t kRandom = 6;
  uint8_t bytes[kRandom];
  if (getentropy(bytes, sizeof(bytes)) != 0) throw_errno("random bytes");
  std::string ending = ".";
  for (const uint8_t byte : bytes) ending += kLetters[byte % kLetters.size()];
  return ending;
}

/// A name that was given in vain. Never throws: it is also what a destructor does.
void remove_name(const FilePlace& name) noexcept {
  if (name.remove() || errno == ENOENT) return;
  try {
    print_warning(fmt::format("{} is left, and could not be removed: {}", shown(name.path()),
                              std::generic_category().message(errno)));
  } catch (const std::bad_alloc&) {
    // There is no memory to tell it with.
  }
}

/// The files that this process has given names, by device and number: names that differ may lead to one file,
/// as A and a do on FAT, and only the system knows.
class PublishedFiles {
 public:
  void add(const struct stat& file, const std::string& name) {
    const std::scoped_lock lock(mutex_);
    names_[{file.st_dev, file.st_ino}] = name;
  }
  /// The name that it was given, if it is one of them.
  std::optional<std::string> name_of(const struct stat& file) {
    const std::scoped_lock lock(mutex_);
    const auto found = names_.find({file.st_dev, file.st_ino});
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<dev_t, ino_t>, std::string> names_;
};

PublishedFiles& published_files() {
  static PublishedFiles files;
  return files;
}

}  // namespace

Refusal OutputFile::refuse_existing() const {
  return Refusal(ExitCode::error, shown(place_.path()) + " exists already", hints_.exists);
}

/// Another file may come to its name after it was looked at, and rename(2) would end that one. So where the
/// file system can do it, the two exchange their names, and it is looked at once more.
void OutputFile::take_name_of_replaced() {
  bool is_other = false;
  const auto take = [&](const struct stat& looked_at) {
    take_name(Replaced::kept);
    if (way_back_ == WayBack::none) return;
    struct stat old = {};
    is_other = way_back_ == WayBack::remove || !temporary_.status(old, AT_SYMLINK_NOFOLLOW) ||
               !holds_the_same(looked_at, old);
    if (!is_other && temporary_.remove()) {
      named_ = false;
      return;
    }
    const int error = errno;
    move_back();
    if (is_other) return;
    errno = error;
    throw_errno("removing the old " + shown(place_.path()));
  };
  const char* why_not = take_name_of_same_version(*replaced_, place_, take);
  if (is_other) why_not = kWasChanged;
  if (why_not == nullptr) return;
  throw Refusal(ExitCode::error,
                fmt::format("{} {}, and stays as it is: what would replace it was made of what it was",
                            shown(place_.path()), why_not),
                "do it again when nothing changes it any more");
}

void OutputFile::require_none_of_this_run() const {
  struct stat there = {};
  if (!place_.status(there, AT_SYMLINK_NOFOLLOW)) return;
  const auto name = published_files().name_of(there);
  if (!name) return;
  const char* const why = *name == place_.path() ? "" : ": names that differ may be one there";
  throw Refusal(ExitCode::error,
                fmt::format("{} is another output of this run already{}", shown(place_.path()), why),
                hints_.elsewhere);
}

OutputFile::~OutputFile() { remove_temporary_name(); }

/// Without a name if the file system can do that: then even SIGKILL leaves nothing.
void OutputFile::create() {
  if (access("/proc/self/fd", X_OK) == 0) fd_ = place_.open_folder(O_TMPFILE | O_RDWR, 0600);
  if (!fd_) create_named();
}

void OutputFile::create_named() {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts && !named_; attempt++) {
    const std::string ending = random_ending();
    temporary_ = place_.beside(temporary_stem(place_.path(), ending.size()) + ending);
    FileDescriptor file = temporary_.open(O_RDWR | O_CREAT | O_EXCL, 0600);
    if (!file && errno != EEXIST) break;
    named_ = static_cast<bool>(file);
    fd_ = std::move(file);
  }
  if (!named_) throw_errno("creating a file in " + shown(folder()));
}

std::string OutputFile::folder() const { return folder_of(place_.path()); }

/// A file without a name gets its final one at once if that name is free, so that no other is ever seen.
void OutputFile::take_name(Replaced replaced) {
  way_back_ = WayBack::remove;
  if (!named_) {
    if (link_to(place_)) return;
    if (errno != EEXIST) throw_errno("naming " + shown(place_.path()));
    if (!replace_) throw refuse_existing();
    link_temporary_name();
  }
  if (replaced == Replaced::kept && replace_ && take_name_and_keep_other()) return;
  rename_to_path();
  named_ = false;
}

/// A file that has the name gets the temporary one for it. If there is none, one that comes at that moment is
/// not lost either.
/// @return false: not every file system can do that (NFS, exFAT), and what is there is replaced
bool OutputFile::take_name_and_keep_other() {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    if (exchange_names()) {
      way_back_ = WayBack::exchange;
      return true;
    }
    if (errno != ENOENT) break;
    if (move_to_free_name()) {
      named_ = false;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  way_back_ = WayBack::none;
  return false;
}

void OutputFile::move_into_place(Replaced replaced) {
  require_none_of_this_run();
  replaced_ ? take_name_of_replaced() : take_name(replaced);
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) == 0) published_files().add(mine, place_.path());
}

void OutputFile::move_back() {
  if (way_back_ == WayBack::remove) remove_name(place_);
  if (way_back_ != WayBack::exchange || (exchange_names() && is_temporary())) return;
  print_warning(fmt::format("what was {} is {} now", shown(place_.path()), shown(temporary_.path())));
  named_ = false;
}

void OutputFile::remove_temporary_name() {
  if (std::exchange(named_, false)) remove_name(temporary_);
}

/// Has this file its temporary name? A third one has it if another program has exchanged names meanwhile,
/// too.
bool OutputFile::is_temporary() const {
  struct stat mine = {}, named = {};
  return fstat(fd_.get(), &mine) == 0 && temporary_.status(named, AT_SYMLINK_NOFOLLOW) &&
         holds_the_same(mine, named);
}

bool OutputFile::exchange_names() const {
  return renameat2(temporary_.at(), temporary_.name(), place_.at(), place_.name(), RENAME_EXCHANGE) == 0;
}

bool OutputFile::move_to_free_name() const {
  return renameat2(temporary_.at(), temporary_.name(), place_.at(), place_.name(), RENAME_NOREPLACE) == 0;
}

bool OutputFile::link_to(const FilePlace& name) const {
  const std::string mine = path_of_descriptor(fd_.get());
  return linkat(AT_FDCWD, mine.c_str(), name.at(), name.name(), AT_SYMLINK_FOLLOW) == 0;
}

/// linkat(2) cannot replace a file, rename(2) can, and needs a name. So a file that replaces another one
/// has a temporary name between two system calls; it is whole, checked and on disk by then.
void OutputFile::link_temporary_name() {
  constexpr int kAttempts = 100;
  constexpr size_t kRoom = 20;  // of ".PID-ATTEMPT"
  const std::string stem = temporary_stem(place_.path(), kRoom);
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    temporary_ = place_.beside(fmt::format("{}.{}-{}", stem, getpid(), attempt));
    named_ = link_to(temporary_);
    if (named_) return;
    if (errno != EEXIST) break;
  }
  throw_errno("naming " + shown(temporary_.path()));
}

void OutputFile::rename_to_path() const {
  const std::string doing = "renaming a file to " + shown(place_.path());
  const FilePlace& from = temporary_;
  const FilePlace& to = place_;
  if (!replace_) {
    if (move_to_free_name()) return;
    if (errno == EEXIST) throw refuse_existing();
    if (errno != EINVAL) throw_errno(doing);
    // A file system without RENAME_NOREPLACE: look, then rename.
    if (struct stat there = {}; to.status(there, AT_SYMLINK_NOFOLLOW)) throw refuse_existing();
  }
  if (renameat(from.at(), from.name(), to.at(), to.name()) != 0) throw_errno(doing);
}

}  // namespace warpaes::cli
