// Where a name stands. A path leads to wherever its folders' names lead at that moment, and whoever may write
// to one of them can change that at any time, by a symbolic link. A folder that is held open is the same one
// whatever becomes of its name.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "file_descriptor.hpp"

namespace warpaes::cli {

using HeldFolder = std::shared_ptr<const FileDescriptor>;

class FilePlace {
 public:
  /// Where the path leads.
  FilePlace(std::string path) : path_(std::move(path)) {}
  FilePlace(const char* path) : path_(path) {}
  /// The last part of the path is a name in that folder; the rest is for messages. Null: as above.
  FilePlace(std::string path, HeldFolder folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  /// As users know it.
  const std::string& path() const { return path_; }
  bool is_held() const { return folder_ != nullptr; }
  /// In the same folder: a path whose last part is another name.
  FilePlace beside(std::string path) const { return {std::move(path), folder_}; }

  // What openat(2) and the like take.
  int at() const { return folder_ ? folder_->get() : AT_FDCWD; }
  const char* name() const { return path_.c_str() + (folder_ ? path_.rfind('/') + 1 : 0); }

  /// In a folder that is held, no symbolic link is followed. None, and errno, if that fails.
  FileDescriptor open(int flags, mode_t mode = 0) const;
  /// The folder itself.
  FileDescriptor open_folder(int flags, mode_t mode = 0) const;
  /// @param flags AT_SYMLINK_NOFOLLOW: of the name itself. Else of what it leads to.
  bool status(struct stat& into, int flags = 0) const { return fstatat(at(), name(), &into, flags) == 0; }
  bool remove() const { return unlinkat(at(), name(), 0) == 0; }

 private:
  std::string path_;
  HeldFolder folder_;
};

/// Opens a folder below another one (O_PATH), with no symbolic link in between. None, and errno, if that
/// fails.
/// @param below a path without . and ..
FileDescriptor open_folder_below(int folder, const std::string& below);

}  // namespace warpaes::cli
