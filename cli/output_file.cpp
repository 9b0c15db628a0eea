#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "failure_report.hpp"
#include "interrupt.hpp"

namespace warpaes::core::cli {
namespace {

Refusal refuse_existing(const std::string& path) {
  return Refusal(ExitCode::error, path + " exists already", "--force replaces it; -o names another file");
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The way to name an open file without a name (open(2), O_TMPFILE).
std::string proc_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

}  // namespace

mode_t default_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

OutputFile::OutputFile(std::string path, bool replace)
    : path_(std::move(path)), folder_(folder_of(path_)), replace_(replace) {
  struct stat existing = {};
  if (lstat(path_.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode))
      throw Refusal(ExitCode::error, path_ + " is a folder", "-o takes a file's name");
    // Renaming a file to /dev/null would replace the device.
    if (!S_ISREG(existing.st_mode) && !S_ISLNK(existing.st_mode)) {
      throw Refusal(ExitCode::error, path_ + " is not a file", "-o - > " + path_ + " writes to it");
    }
    if (!replace_) throw refuse_existing(path_);
  }
  create();
}

OutputFile::~OutputFile() {
  if (named_) unlink(temporary_name_.c_str());
}

/// Without a name if the file system can do that: then even SIGKILL leaves nothing.
void OutputFile::create() {
  if (access("/proc/self/fd", X_OK) == 0) {
    fd_ = FileDescriptor(open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  }
  temporary_name_ = path_ + ".XXXXXX";
  if (fd_) return;
  fd_ = FileDescriptor(mkostemp(temporary_name_.data(), O_CLOEXEC));
  if (!fd_) throw_errno("creating a file in " + folder_);
  named_ = true;
}

void OutputFile::reserve(uint64_t bytes) {
  if (bytes == 0) return;
  if (fallocate(fd_.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return;
  // Only these say that the data cannot fit; a file system without fallocate may still have room.
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
    throw_errno(fmt::format("setting aside {} bytes for {}", bytes, path_));
  }
}

void OutputFile::publish(mode_t mode) {
  if (fchmod(fd_.get(), mode) != 0) throw_errno("setting permissions of " + path_);
  if (fsync(fd_.get()) != 0) throw_errno("writing " + path_ + " to disk");
  throw_if_interrupted();
  if (!named_) link_temporary_name();
  move_into_place();
  named_ = false;
  sync_folder();
}

/// linkat(2) cannot replace a file, rename(2) can: so the file gets a temporary name first.
void OutputFile::link_temporary_name() {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    temporary_name_ = fmt::format("{}.{}-{}", path_, getpid(), attempt);
    if (linkat(AT_FDCWD, proc_path(fd_.get()).c_str(), AT_FDCWD, temporary_name_.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      named_ = true;
      return;
    }
    if (errno != EEXIST) break;
  }
  throw_errno("naming " + temporary_name_);
}

void OutputFile::move_into_place() {
  const char* const from = temporary_name_.c_str();
  const char* const to = path_.c_str();
  if (!replace_) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return;
    if (errno == EEXIST) throw refuse_existing(path_);
    if (errno != EINVAL) throw_errno("renaming a file to " + path_);
    // A file system without RENAME_NOREPLACE: look, then rename.
    if (access(to, F_OK) == 0) throw refuse_existing(path_);
  }
  if (rename(from, to) != 0) throw_errno("renaming a file to " + path_);
}

/// The new name survives a power cut only when the folder is on disk.
void OutputFile::sync_folder() const {
  const FileDescriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some network file systems cannot sync folders, and a folder may be writable but not readable: the
  // file is in place all the same.
  if (folder) fsync(folder.get());
}

}  // namespace warpaes::core::cli
