#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "access_list.hpp"
#include "file_version.hpp"
#include "interrupt.hpp"
#include "name_on_disk.hpp"

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

/// Is it one of the links of /dev/fd, which lead to what is open, or a link to one, as /dev/stderr is?
bool leads_to_descriptor(std::filesystem::path link) {
  for (int links = 0; links < MAXSYMLINKS; links++) {
    struct statfs kind = {};
    if (statfs(folder_of(link).c_str(), &kind) == 0 && kind.f_type == PROC_SUPER_MAGIC) return true;
    std::error_code is_no_link;
    const std::filesystem::path target = std::filesystem::read_symlink(link, is_no_link);
    if (is_no_link) return false;
    link = link.parent_path() / target;
  }
  return false;
}

bool goes_to(int stream, const struct stat& file) {
  struct stat written = {};
  return fstat(stream, &written) == 0 && written.st_dev == file.st_dev && written.st_ino == file.st_ino;
}

/// Is it a device or a pipe, or a link to one or to an open file, as /dev/stdout is? A file that is renamed
/// to that name would replace it. @param status of the name, and not of what it may lead to
bool leads_to_stream(const std::string& path, const struct stat& status) {
  if (!S_ISLNK(status.st_mode)) return !S_ISREG(status.st_mode);
  struct stat target = {};
  if (stat(path.c_str(), &target) != 0) return false;
  if (!S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode)) return true;
  return leads_to_descriptor(path) || goes_to(STDOUT_FILENO, target);
}

/// The standard stream that writes to this file, or null. What it writes would be gone with the file.
const char* stream_that_goes_to(const struct stat& file) {
  if (goes_to(STDOUT_FILENO, file)) return "standard output";
  return goes_to(STDERR_FILENO, file) ? "standard error" : nullptr;
}

std::string hint_at_stream(const std::string& path) {
  return path == "/dev/stdout" ? "-o - is standard output" : "-o - > " + shown(path) + " writes to it";
}

/// May entries be made there, and neither removed nor renamed (chattr +a)?
bool is_append_only(const std::string& folder) {
  struct statx status = {};
  return statx(AT_FDCWD, folder.c_str(), 0, STATX_TYPE, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

/// A name that was given in vain. Never throws: it is also what a destructor does.
void remove_name(const std::string& name) noexcept {
  if (unlink(name.c_str()) == 0 || errno == ENOENT) return;
  try {
    print_warning(fmt::format("{} is left, and could not be removed: {}", shown(name),
                              std::generic_category().message(errno)));
  } catch (const std::bad_alloc&) {
    // There is no memory to tell it with.
  }
}

/// Only these say that the data cannot fit; a file system without fallocate(2) may still have room.
bool lacks_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

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

mode_t default_file_mode() {
  // It can only be asked for by changing it, which other threads would notice: so once.
  static const mode_t mask = [] {
    const mode_t before = umask(0);
    umask(before);
    return before;
  }();
  return 0666 & ~mask;
}

OutputFile::OutputFile(std::string path, bool replace, OutputHints hints)
    : path_(std::move(path)), folder_(folder_of(path_)), replace_(replace), hints_(std::move(hints)) {
  struct stat existing = {};
  if (lstat(path_.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) {
      throw Refusal(ExitCode::error, shown(path_) + " is a folder", hints_.elsewhere);
    }
    if (leads_to_stream(path_, existing)) {
      const bool can_be_written_to = hints_.has_stream && !S_ISSOCK(existing.st_mode);
      throw Refusal(ExitCode::error, shown(path_) + " is not a file",
                    can_be_written_to ? hint_at_stream(path_) : hints_.elsewhere);
    }
    if (const char* const stream = stream_that_goes_to(existing)) {
      throw Refusal(ExitCode::error, fmt::format("{} is the file that {} goes to", shown(path_), stream),
                    hints_.elsewhere);
    }
    if (!replace_) throw refuse_existing();
    if (is_append_only(folder_)) {
      throw Refusal(ExitCode::error,
                    shown(path_) + " cannot be replaced: its folder takes new files only (chattr +a)",
                    hints_.elsewhere);
    }
  } else if (errno == ENAMETOOLONG) {
    throw_errno(shown(path_));
  }
  create();
}

Refusal OutputFile::refuse_existing() const {
  return Refusal(ExitCode::error, shown(path_) + " exists already", hints_.exists);
}

void OutputFile::take_name_of_replaced(Replaced replaced) {
  if (take_name_of_same_version(*replaced_, path_, [&](const struct stat&) { take_name(replaced); })) return;
  throw Refusal(ExitCode::error,
                shown(path_) +
                    " was changed while it was read, and stays as it is: what would replace it was made "
                    "of what it was",
                "do it again when nothing changes it any more");
}

void OutputFile::require_none_of_this_run() const {
  struct stat there = {};
  if (lstat(path_.c_str(), &there) != 0) return;
  const auto name = published_files().name_of(there);
  if (!name) return;
  const char* const why = *name == path_ ? "" : ": names that differ may be one there";
  throw Refusal(ExitCode::error, fmt::format("{} is another output of this run already{}", shown(path_), why),
                hints_.elsewhere);
}

OutputFile::~OutputFile() { remove_temporary_name(); }

/// Without a name if the file system can do that: then even SIGKILL leaves nothing.
void OutputFile::create() {
  if (access("/proc/self/fd", X_OK) == 0) {
    fd_ = FileDescriptor(open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  }
  if (fd_) return;
  constexpr std::string_view kEnding = ".XXXXXX";
  temporary_name_ = temporary_stem(path_, kEnding.size()).append(kEnding);
  fd_ = FileDescriptor(mkostemp(temporary_name_.data(), O_CLOEXEC));
  if (!fd_) throw_errno("creating a file in " + shown(folder_));
  named_ = true;
}

void OutputFile::write(std::span<const uint8_t> bytes) {
  if (const uint64_t expected = expected_bytes_.exchange(0); expected != 0) set_aside(expected);
  if (direct_) {
    direct_->write_at(written_, bytes);
  } else {
    write_fully(fd_.get(), bytes, shown(path_));
    begin_to_sync(written_, bytes.size());
  }
  written_ += bytes.size();
}

void OutputFile::write_at(uint64_t offset, std::span<const uint8_t> bytes) {
  if (const uint64_t expected = expected_bytes_.exchange(0); expected != 0) set_aside(expected);
  if (direct_) return direct_->write_at(offset, bytes);
  while (!bytes.empty()) {
    throw_if_interrupted();
    const ssize_t put = pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put >= 0) {
      begin_to_sync(offset, static_cast<size_t>(put));
      offset += static_cast<size_t>(put);
      bytes = bytes.subspan(static_cast<size_t>(put));
    } else if (errno != EINTR) {
      throw_errno("writing " + shown(path_));
    }
  }
}

std::span<uint8_t> OutputFile::memory(uint64_t bytes) {
  if (direct_ || bytes == 0) return {};
  expected_bytes_ = 0;
  require_room(bytes);
  if (fallocate(fd_.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
    if (errno == EINTR) throw_if_interrupted();
    if (lacks_room(errno)) throw_errno(setting_aside(bytes));
    return {};
  }
  pages_ = FilePages(fd_.get(), bytes);
  if (!pages_.bytes().empty()) return pages_.bytes();
  if (ftruncate(fd_.get(), 0) != 0) throw_errno("writing " + shown(path_));
  return {};
}

void OutputFile::complete() {
  pages_ = FilePages();
  if (direct_) return direct_->complete();
  struct stat written = {};
  if (fstat(fd_.get(), &written) != 0) throw_errno(shown(path_));
  if (static_cast<uint64_t>(written.st_size) >= set_aside_) return;
  // What was set aside and not needed, behind the file's end, goes.
  if (ftruncate(fd_.get(), written.st_size) != 0) throw_errno("writing " + shown(path_));
}

std::string OutputFile::setting_aside(uint64_t bytes) const {
  return fmt::format("setting aside {} bytes for {}", bytes, shown(path_));
}

/// fallocate(2) takes all that there is before it says that this is not enough.
void OutputFile::require_room(uint64_t bytes) const {
  struct statvfs disk = {};
  if (fstatvfs(fd_.get(), &disk) != 0 || disk.f_blocks == 0 || bytes / disk.f_frsize <= disk.f_bfree) return;
  errno = ENOSPC;
  throw_errno(setting_aside(bytes));
}

void OutputFile::set_aside(uint64_t bytes) {
  constexpr uint64_t kWorthIt = 1 << 20;  // a short file is written as fast as its space is set aside
  if (bytes < kWorthIt) return;
  require_room(bytes);
  // There, each page would be made here, by one thread, while the others wait.
  if (struct statfs kind = {}; fstatfs(fd_.get(), &kind) == 0 && kind.f_type == TMPFS_MAGIC) return;
  if (fallocate(fd_.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) {
    set_aside_ = bytes;
    return;
  }
  if (lacks_room(errno)) throw_errno(setting_aside(bytes));
}

/// Some file systems have one set of permissions for all files, or let only a file's owner set them, who is
/// somebody else there (FAT, SMB and 9P, by the way they are mounted). Who writes to one of them can have it
/// no other way.
void OutputFile::set_mode(mode_t mode) const {
  if (fchmod(fd_.get(), mode) == 0) return;
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
    throw_errno("setting permissions of " + shown(path_));
  const mode_t given = permissions();
  if ((given & ~mode) == 0) return;
  static std::once_flag told;
  std::call_once(told, [&] {
    print_warning(
        fmt::format("{} gets the permissions {:04o} and not {:04o}: its file system lets nobody set them",
                    shown(path_), given, mode));
  });
}

mode_t OutputFile::permissions() const {
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) != 0) throw_errno(shown(path_));
  return mine.st_mode & 0777;
}

/// First the group, then the permissions and then the owner: so the group that a file begins with never has
/// the permissions of the other one, and a process that may give files away can still set them.
bool OutputFile::resemble(const struct stat& other) const {
  remove_list(fd_.get(), shown(path_));
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) != 0) throw_errno(shown(path_));
  constexpr gid_t kSameGroup = -1;
  constexpr uid_t kSameOwner = -1;
  const bool group = mine.st_gid == other.st_gid || fchown(fd_.get(), kSameOwner, other.st_gid) == 0;
  const mode_t of_group = other.st_mode >> 3 & 7, of_others = other.st_mode & 7;
  const mode_t of_both = of_group & of_others;
  set_mode(group ? other.st_mode & 0777 : (other.st_mode & 0700) | of_both << 3 | of_both);
  const bool owner = mine.st_uid == other.st_uid || fchown(fd_.get(), other.st_uid, kSameGroup) == 0;
  return group && owner;
}

/// A file without a name gets its final one at once if that name is free, so that no other is ever seen.
void OutputFile::take_name(Replaced replaced) {
  way_back_ = WayBack::remove;
  if (!named_) {
    if (link_to(path_)) return;
    if (errno != EEXIST) throw_errno("naming " + shown(path_));
    if (!replace_) throw refuse_existing();
    link_temporary_name();
  }
  if (replaced == Replaced::kept && replace_) {
    if (exchange_names()) {
      way_back_ = WayBack::exchange;
      return;
    }
    // Not every file system can do that (NFS, exFAT): there, the old file is lost.
    if (errno != ENOENT) way_back_ = WayBack::none;
  }
  rename_to_path();
  named_ = false;
}

void OutputFile::move_into_place(Replaced replaced) {
  require_none_of_this_run();
  replaced_ ? take_name_of_replaced(replaced) : take_name(replaced);
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) == 0) published_files().add(mine, path_);
}

void OutputFile::move_back() {
  if (way_back_ == WayBack::remove) remove_name(path_);
  if (way_back_ != WayBack::exchange || exchange_names()) return;
  print_warning(fmt::format("what was {} is {} now", shown(path_), shown(temporary_name_)));
  named_ = false;
}

void OutputFile::remove_temporary_name() {
  if (std::exchange(named_, false)) remove_name(temporary_name_);
}

bool OutputFile::exchange_names() const {
  return renameat2(AT_FDCWD, temporary_name_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0;
}

bool OutputFile::link_to(const std::string& name) const {
  return linkat(AT_FDCWD, path_of_descriptor(fd_.get()).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
         0;
}

/// linkat(2) cannot replace a file, rename(2) can, and needs a name. So a file that replaces another one
/// has a temporary name between two system calls; it is whole, checked and on disk by then.
void OutputFile::link_temporary_name() {
  constexpr int kAttempts = 100;
  constexpr size_t kRoom = 20;  // of ".PID-ATTEMPT"
  const std::string stem = temporary_stem(path_, kRoom);
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    temporary_name_ = fmt::format("{}.{}-{}", stem, getpid(), attempt);
    named_ = link_to(temporary_name_);
    if (named_) return;
    if (errno != EEXIST) break;
  }
  throw_errno("naming " + shown(temporary_name_));
}

void OutputFile::rename_to_path() const {
  const std::string doing = "renaming a file to " + shown(path_);
  const char* const from = temporary_name_.c_str();
  const char* const to = path_.c_str();
  if (!replace_) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return;
    if (errno == EEXIST) throw refuse_existing();
    if (errno != EINVAL) throw_errno(doing);
    // A file system without RENAME_NOREPLACE: look, then rename.
    if (access(to, F_OK) == 0) throw refuse_existing();
  }
  if (rename(from, to) != 0) throw_errno(doing);
}

}  // namespace warpaes::cli
