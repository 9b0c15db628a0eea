#include "listed_folder.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "failure_report.hpp"
#include "file_version.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

FileDescriptor opened_folder(const std::string& path) {
  FileDescriptor folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) throw_errno(shown(path));
  return folder;
}

struct stat status_of_folder(const FileDescriptor& folder, const std::string& path) {
  struct stat status = {};
  if (fstat(folder.get(), &status) != 0) throw_errno(shown(path));
  return status;
}

std::unique_ptr<DIR, CloseFolder> entries_of(const HeldFolder& folder, const std::string& path) {
  FileDescriptor readable(openat(folder->get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) throw_errno(shown(path));
  std::unique_ptr<DIR, CloseFolder> entries(fdopendir(readable.get()));
  if (!entries) throw_errno(shown(path));
  readable.release();
  return entries;
}

EntryKind kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return EntryKind::folder;
  return S_ISREG(mode) ? EntryKind::file : EntryKind::other;
}

}  // namespace

NamedFolder::NamedFolder(std::string path) : path_(std::move(path)) {
  status_ = status_of_folder(opened_folder(path_), path_);
}

FileDescriptor NamedFolder::open() const {
  FileDescriptor folder = opened_folder(path_);
  const struct stat now = status_of_folder(folder, path_);
  if (same_file(now, status_)) return folder;
  throw Refusal(ExitCode::error, shown(path_) + " is another folder now than when its files were listed");
}

std::string ListedFolder::path() const {
  return below_.empty() ? root_->path() : (std::filesystem::path(root_->path()) / below_).string();
}

HeldFolder ListedFolder::open() {
  const std::scoped_lock lock(mutex_);
  if (HeldFolder held = held_.lock()) return held;
  FileDescriptor folder = root_->open();
  if (!below_.empty()) folder = open_folder_below(folder.get(), below_);
  if (!folder) throw_errno(shown(path()));
  const auto held = std::make_shared<const FileDescriptor>(std::move(folder));
  held_ = held;
  return held;
}

void ListedFolder::read(const std::function<void(const std::string& name, EntryKind kind)>& tell) {
  const HeldFolder held = open();
  const auto entries = entries_of(held, path());
  for (;;) {
    errno = 0;
    const dirent* const entry = readdir(entries.get());
    if (entry == nullptr && errno != 0) throw_errno(shown(path()));
    if (entry == nullptr) return;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    mode_t mode = DTTOIF(entry->d_type);
    if (entry->d_type == DT_UNKNOWN) {
      struct stat status = {};
      if (fstatat(held->get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) continue;
        throw_errno(shown(path() + "/" + name));
      }
      mode = status.st_mode;
    }
    tell(name, kind_of(mode));
  }
}

}  // namespace warpaes::cli
