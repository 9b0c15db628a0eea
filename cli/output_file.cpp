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
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "access_list.hpp"
#include "file_version.hpp"
#include "interrupt.hpp"
#include "name_on_disk.hpp"

namespace warpaes::cli {
namespace {

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
  return fstat(stream, &written) == 0 && same_file(written, file);
}

/// Is it a device or a pipe, or a link to one or to an open file, as /dev/stdout is? A file that is renamed
/// to that name would replace it. @param status of the name, and not of what it may lead to
bool leads_to_stream(const FilePlace& place, const struct stat& status) {
  if (!S_ISLNK(status.st_mode)) return !S_ISREG(status.st_mode);
  struct stat target = {};
  if (!place.status(target)) return false;
  if (!S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode)) return true;
  return leads_to_descriptor(place.path()) || goes_to(STDOUT_FILENO, target);
}

/// The standard stream that writes to this file, or null. What it writes would be gone with the file.
const char* stream_that_goes_to(const struct stat& file) {
  if (goes_to(STDOUT_FILENO, file)) return "standard output";
  return goes_to(STDERR_FILENO, file) ? "standard error" : nullptr;
}

std::string hint_at_stream(const std::string& path) {
  return path == "/dev/stdout" ? "-o - is standard output" : "-o - > " + shown(path) + " writes to it";
}

/// May entries be made in its folder, and neither removed nor renamed (chattr +a)?
bool is_append_only(const FilePlace& place) {
  struct statx status = {};
  const FileDescriptor folder = place.open_folder(O_PATH);
  return folder && statx(folder.get(), "", AT_EMPTY_PATH, STATX_TYPE, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

/// Only these say that the data cannot fit; a file system without fallocate(2) may still have room.
bool lacks_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

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

OutputFile::OutputFile(FilePlace place, bool replace, OutputHints hints)
    : place_(std::move(place)), temporary_(place_), replace_(replace), hints_(std::move(hints)) {
  struct stat existing = {};
  if (place_.status(existing, AT_SYMLINK_NOFOLLOW)) {
    require_replaceable(existing);
  } else if (errno == ENAMETOOLONG) {
    throw_errno(shown(place_.path()));
  }
  create();
}

/// @param existing status of what has the name
void OutputFile::require_replaceable(const struct stat& existing) const {
  const std::string name = shown(place_.path());
  if (S_ISDIR(existing.st_mode)) throw Refusal(ExitCode::error, name + " is a folder", hints_.elsewhere);
  if (leads_to_stream(place_, existing)) {
    const bool can_be_written_to = hints_.has_stream && !S_ISSOCK(existing.st_mode);
    throw Refusal(ExitCode::error, name + " is not a file",
                  can_be_written_to ? hint_at_stream(place_.path()) : hints_.elsewhere);
  }
  if (const char* const stream = stream_that_goes_to(existing)) {
    throw Refusal(ExitCode::error, fmt::format("{} is the file that {} goes to", name, stream),
                  hints_.elsewhere);
  }
  if (!replace_) throw refuse_existing();
  if (is_append_only(place_)) {
    throw Refusal(ExitCode::error, name + " cannot be replaced: its folder takes new files only (chattr +a)",
                  hints_.elsewhere);
  }
}

void OutputFile::write(std::span<const uint8_t> bytes) {
  if (const uint64_t expected = expected_bytes_.exchange(0); expected != 0) set_aside(expected);
  if (direct_) {
    direct_->write_at(written_, bytes);
  } else {
    write_fully(fd_.get(), bytes, shown(place_.path()));
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
      throw_errno("writing " + shown(place_.path()));
    }
  }
}

void OutputFile::complete() {
  if (direct_) return direct_->complete();
  struct stat written = {};
  if (fstat(fd_.get(), &written) != 0) throw_errno(shown(place_.path()));
  if (static_cast<uint64_t>(written.st_size) >= set_aside_) return;
  // What was set aside and not needed, behind the file's end, goes.
  if (ftruncate(fd_.get(), written.st_size) != 0) throw_errno("writing " + shown(place_.path()));
}

std::string OutputFile::setting_aside(uint64_t bytes) const {
  return fmt::format("setting aside {} bytes for {}", bytes, shown(place_.path()));
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
  if (is_on_file_system(fd_.get(), {TMPFS_MAGIC})) return;
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
    throw_errno("setting permissions of " + shown(place_.path()));
  const mode_t given = permissions();
  if ((given & ~mode) == 0) return;
  static std::once_flag told;
  std::call_once(told, [&] {
    print_warning(
        fmt::format("{} gets the permissions {:04o} and not {:04o}: its file system lets nobody set them",
                    shown(place_.path()), given, mode));
  });
}

mode_t OutputFile::permissions() const {
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) != 0) throw_errno(shown(place_.path()));
  return mine.st_mode & 0777;
}

/// First the group, then the permissions and then the owner: so the group that a file begins with never has
/// the permissions of the other one, and a process that may give files away can still set them.
bool OutputFile::resemble(const struct stat& other) const {
  remove_list(fd_.get(), shown(place_.path()));
  struct stat mine = {};
  if (fstat(fd_.get(), &mine) != 0) throw_errno(shown(place_.path()));
  constexpr gid_t kSameGroup = -1;
  constexpr uid_t kSameOwner = -1;
  const bool group = mine.st_gid == other.st_gid || fchown(fd_.get(), kSameOwner, other.st_gid) == 0;
  const mode_t of_group = other.st_mode >> 3 & 7, of_others = other.st_mode & 7;
  const mode_t of_both = of_group & of_others;
  set_mode(group ? other.st_mode & 0777 : (other.st_mode & 0700) | of_both << 3 | of_both);
  const bool owner = mine.st_uid == other.st_uid || fchown(fd_.get(), other.st_uid, kSameGroup) == 0;
  return group && owner;
}

}  // namespace warpaes::cli
