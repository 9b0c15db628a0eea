#include "file_place.hpp"

#include <linux/openat2.h>
#include <sys/syscall.h>

#include <cerrno>
#include <filesystem>

#include "name_on_disk.hpp"

namespace warpaes::cli {
namespace {

constexpr int kFolder = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Before Linux 5.6, and where a container allows no call that it does not know.
FileDescriptor open_step_by_step(int folder, const std::string& below) {
  FileDescriptor reached;
  for (const std::filesystem::path& name : std::filesystem::path(below)) {
    FileDescriptor next(openat(reached ? reached.get() : folder, name.c_str(), kFolder));
    if (!next) return next;
    reached = std::move(next);
  }
  return reached;
}

}  // namespace

FileDescriptor FilePlace::open(int flags, mode_t mode) const {
  const int links = folder_ ? O_NOFOLLOW : 0;
  return FileDescriptor(openat(at(), name(), flags | links | O_CLOEXEC, mode));
}

FileDescriptor FilePlace::open_folder(int flags, mode_t mode) const {
  const std::string folder = folder_ ? "." : folder_of(path_);
  return FileDescriptor(openat(at(), folder.c_str(), flags | O_CLOEXEC, mode));
}

FileDescriptor open_folder_below(int folder, const std::string& below) {
  open_how how = {};
  how.flags = kFolder;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long opened = syscall(SYS_openat2, folder, below.c_str(), &how, sizeof(how));
  if (opened < 0 && (errno == ENOSYS || errno == EPERM)) return open_step_by_step(folder, below);
  return FileDescriptor(static_cast<int>(opened));
}

}  // namespace warpaes::cli
