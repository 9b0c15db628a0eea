// The folders that -r comes to. Another user who may write to one of them may put a symbolic link in the
// place of what was listed, at any time until it is worked on, so files are reached by way of these.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "file_place.hpp"

namespace warpaes::cli {

/// One that was named: where its path leads.
class NamedFolder {
 public:
  /// Throws if there is none.
  explicit NamedFolder(std::string path);

  const std::string& path() const { return path_; }
  /// Throws if another folder has come to its place.
  FileDescriptor open() const;

 private:
  std::string path_;
  struct stat status_ = {};
};

enum class EntryKind { file, folder, other };

/// A folder below one that was named, or that one itself. It is open only while somebody holds it: there may
/// be more of them than files that this process may open.
class ListedFolder {
 public:
  /// @param below a path below the one that was named, or ""
  ListedFolder(std::shared_ptr<const NamedFolder> root, std::string below)
      : root_(std::move(root)), below_(std::move(below)) {}

  /// The one that is below the named folder now, which no symbolic link leads to. Throws if there is none.
  /// For any thread.
  HeldFolder open();

  /// Calls `tell` with each name in it. What is gone by then is left out. Throws if the folder, or an entry's
  /// kind, cannot be read.
  void read(const std::function<void(const std::string& name, EntryKind kind)>& tell);

  const std::string& below() const { return below_; }
  std::string path() const;

 private:
  const std::shared_ptr<const NamedFolder> root_;
  const std::string below_;
  std::mutex mutex_;
  std::weak_ptr<const FileDescriptor> held_;
};

}  // namespace warpaes::cli
